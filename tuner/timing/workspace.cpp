#include "tuner/timing/workspace.h"

#include <algorithm>
#include <vector>

#include "tuner/timing/placement.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::timing {

namespace {

constexpr std::uint64_t guard_bytes = 256;
// What is near changes every 4 KiB on an H200; the header and the slots of a hundred blocks take two granules.
constexpr std::uint64_t granule_bytes = 1024;
constexpr std::uint32_t granules = 256;
constexpr std::size_t wanted_granules = 2;

}  // namespace

void Workspace::reserve(const LaunchPlan& plan, CUstream stream) {
    const std::uint64_t bytes = plan.workspace_bytes + guard_bytes;
    if (room_ >= bytes) return;
    buffer_ = gpu::DeviceBuffer((kernels_ != nullptr ? granules * granule_bytes : 0) + bytes * 2);
    room_ = bytes * 2;
    begin_ = 0;
    if (kernels_ == nullptr) return;
    buffer_.fill(0, stream);
    const std::vector<std::uint32_t> cycles = kernels_->latencies(buffer_.address(), granule_bytes, granules, stream);
    begin_ = nearest_start(cycles, wanted_granules) * granule_bytes;
}

void Workspace::prepare(const LaunchPlan& plan, CUstream stream) {
    reserve(plan, stream);
    buffer_.fill(poison_byte, plan.workspace_bytes + guard_bytes, begin_, stream);
    hand_over(plan, stream);
}

void Workspace::hand_over(const LaunchPlan& plan, CUstream stream) {
    buffer_.fill(0, plan.zeroed_bytes, begin_, stream);
}

std::optional<std::string> Workspace::inspect(const LaunchPlan& plan) const {
    std::vector<unsigned char> bytes(plan.zeroed_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size(), begin_);
    const auto is_not = [](unsigned char value) { return [value](unsigned char byte) { return byte != value; }; };
    if (std::any_of(bytes.begin(), bytes.end(), is_not(0))) {
        return "the workspace was not left zeroed for the next call";
    }
    bytes.resize(guard_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size(), begin_ + plan.workspace_bytes);
    if (std::any_of(bytes.begin(), bytes.end(), is_not(poison_byte))) return "a call wrote behind its workspace";
    return std::nullopt;
}

}  // namespace redtune::timing
