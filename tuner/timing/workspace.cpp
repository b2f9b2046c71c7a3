#include "tuner/timing/workspace.h"

#include <algorithm>
#include <vector>

#include "tuner/timing/constants.h"
#include "tuner/timing/placement.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::timing {

namespace {

bool is_filled_with(const std::vector<unsigned char>& bytes, unsigned char value) {
    return std::all_of(bytes.begin(), bytes.end(), [value](unsigned char byte) { return byte == value; });
}

}  // namespace

bool Workspace::has_room(const LaunchPlan& plan) const {
    return capacity_ >= plan.workspace_bytes + workspace_guard_bytes;
}

void Workspace::reserve(const LaunchPlan& plan, CUstream stream) {
    if (has_room(plan)) return;
    // Allocates twice the needed bytes, so that a rising sequence of sizes reallocates rarely.
    capacity_ = (plan.workspace_bytes + workspace_guard_bytes) * 2;
    buffer_ = gpu::DeviceBuffer((kernels_ != nullptr ? granules * granule_bytes : 0) + capacity_);
    begin_ = 0;
    if (kernels_ == nullptr) return;
    buffer_.fill(0, stream);
    const std::vector<std::uint32_t> cycles = kernels_->latencies(buffer_.address(), granule_bytes, granules, stream);
    begin_ = nearest_start(cycles, near_granules) * granule_bytes;
}

void Workspace::prepare(const LaunchPlan& plan, CUstream stream) {
    reserve(plan, stream);
    buffer_.fill(poison_byte, plan.workspace_bytes + workspace_guard_bytes, begin_, stream);
    zero(plan, stream);
}

void Workspace::zero(const LaunchPlan& plan, CUstream stream) {
    buffer_.fill(0, plan.zeroed_bytes, begin_, stream);
}

std::optional<std::string> Workspace::check(const LaunchPlan& plan) const {
    std::vector<unsigned char> bytes(plan.zeroed_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size(), begin_);
    if (!is_filled_with(bytes, 0)) return "the workspace was not left zeroed for the next call";
    bytes.resize(workspace_guard_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size(), begin_ + plan.workspace_bytes);
    if (!is_filled_with(bytes, poison_byte)) return "a call wrote past the end of its workspace";
    return std::nullopt;
}

}  // namespace redtune::timing
