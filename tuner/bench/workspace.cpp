#include "tuner/bench/workspace.h"

#include <algorithm>
#include <vector>

namespace redtune::bench {

namespace {

constexpr std::uint64_t guard_bytes = 256;

}  // namespace

void Workspace::reserve(const LaunchPlan& plan) {
    const std::uint64_t bytes = plan.workspace_bytes + guard_bytes;
    if (buffer_.size() < bytes) buffer_ = gpu::DeviceBuffer(bytes * 2);
}

void Workspace::prepare(const LaunchPlan& plan, CUstream stream) {
    reserve(plan);
    buffer_.fill(poison_byte, plan.workspace_bytes + guard_bytes, 0, stream);
    hand_over(plan, stream);
}

void Workspace::hand_over(const LaunchPlan& plan, CUstream stream) {
    buffer_.fill(0, plan.zeroed_bytes, 0, stream);
}

std::optional<std::string> Workspace::inspect(const LaunchPlan& plan) const {
    std::vector<unsigned char> bytes(plan.zeroed_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size());
    const auto is_not = [](unsigned char value) { return [value](unsigned char byte) { return byte != value; }; };
    if (std::any_of(bytes.begin(), bytes.end(), is_not(0))) {
        return "the workspace was not left zeroed for the next call";
    }
    bytes.resize(guard_bytes);
    buffer_.copy_to_host(bytes.data(), bytes.size(), plan.workspace_bytes);
    if (std::any_of(bytes.begin(), bytes.end(), is_not(poison_byte))) return "a call wrote behind its workspace";
    return std::nullopt;
}

}  // namespace redtune::bench
