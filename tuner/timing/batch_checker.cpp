#include "tuner/timing/batch_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/timing/constants.h"
#include "tuner/timing/round_up.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

namespace {

/// The address of an input and that of its copy are equal modulo this, so that both have the same alignment.
constexpr std::uint64_t copy_alignment = 256;
/// Workspaces begin at multiples of this, as those of programs do.
constexpr std::uint64_t workspace_alignment = 256;

void grow(gpu::DeviceBuffer& buffer, std::uint64_t bytes) {
    if (buffer.size() < bytes) buffer = gpu::DeviceBuffer(bytes);
}

bool are_all(std::span<const unsigned char> bytes, unsigned char value) {
    return std::ranges::all_of(bytes, [value](unsigned char byte) { return byte == value; });
}

/// Reads ranges of a device buffer. Each copy to the host takes some 10 us, so that a small buffer is copied once, as a
/// whole.
class RangeReader {
  public:
    /// @param used the ranges are within so many bytes from the beginning of the buffer
    RangeReader(const gpu::DeviceBuffer& buffer, std::uint64_t used) : buffer_(buffer) {
        constexpr std::uint64_t most_at_once = std::uint64_t{1} << 20;
        if (used > most_at_once) return;
        whole_.resize(used);
        if (used != 0) buffer.copy_to_host(whole_.data(), used);
    }

    /// The result is valid until the next call.
    std::span<const unsigned char> read(std::uint64_t begin, std::uint64_t bytes) {
        if (!whole_.empty()) return std::span(whole_).subspan(begin, bytes);
        part_.resize(bytes);
        if (bytes != 0) buffer_.copy_to_host(part_.data(), bytes, begin);
        return part_;
    }

  private:
    const gpu::DeviceBuffer& buffer_;
    std::vector<unsigned char> whole_;
    std::vector<unsigned char> part_;
};

}  // namespace

BatchChecker::BatchChecker(const SupportKernels& kernels, const Problem& problem, gpu::Stream& stream)
    : kernels_(kernels), problem_(problem), stream_(stream) {}

std::optional<std::string> BatchChecker::check(const launch::LoadedKernel& loaded_kernel,
                                               std::span<const Group> groups) {
    last_call_us_ = 0;
    const Placed placed = place(loaded_kernel.rule, groups);
    if (placed.calls.empty()) return std::nullopt;
    enqueue_references(placed);
    prepare_buffers(placed);
    enqueue_calls(loaded_kernel, placed);
    for (std::size_t i = 0; i < placed.calls.size(); ++i) {
        kernels_.enqueue_judge(judge_request(placed.calls[i]), mismatches_.address() + i * sizeof(Mismatch),
                               stream_.handle());
    }
    stream_.synchronize();
    last_call_us_ = gpu::elapsed_us(begin_, end_);
    if (auto wrong = wrong_result(placed)) return wrong;
    return wrong_workspace(placed);
}

/// Plans the calls, assigns each its byte offsets in the buffers, and allocates the buffers.
BatchChecker::Placed BatchChecker::place(const LaunchRule& rule, std::span<const Group> groups) {
    Placed placed;
    ReferenceBytes total;
    std::uint64_t copy_bytes = 0;
    for (const Group& group : groups) {
        if (group.empty()) continue;
        PlacedWorkspace workspace{placed.workspace_bytes, 0, 0, &group.front().name};
        for (const Call& call : group) {
            const std::uint64_t results = result_count(problem_, call.n);
            placed.calls.push_back({&call, make_plan(rule, extents_of(problem_, call.n)), results, placed.output_bytes,
                                    total.results, workspace.begin});
            const LaunchPlan& plan = placed.calls.back().plan;
            workspace.bytes = std::max(workspace.bytes, plan.workspace_bytes);
            workspace.zeroed_bytes = std::max(workspace.zeroed_bytes, plan.zeroed_bytes);
            placed.output_bytes +=
                round_up(results * size_of(problem_.output), output_guard_bytes) + output_guard_bytes;
            copy_bytes = std::max(copy_bytes, call.n * size_of(problem_.input));
            if (call.expected != 0) continue;
            const ReferenceBytes own = kernels_.reference_bytes({call.input, 0, 1, call.n});
            total.results += round_up(own.results, output_guard_bytes);
            total.partials = std::max(total.partials, own.partials);  // reused: references are computed one by one
        }
        placed.workspace_bytes += round_up(workspace.bytes + workspace_guard_bytes, workspace_alignment);
        placed.workspaces.push_back(workspace);
    }
    grow(workspaces_, placed.workspace_bytes);
    grow(outputs_, placed.output_bytes);
    grow(references_, total.results);
    grow(partials_, total.partials);
    grow(mismatches_, placed.calls.size() * sizeof(Mismatch));
    grow(copy_, copy_bytes + copy_alignment);
    return placed;
}

void BatchChecker::enqueue_references(const Placed& placed) {
    for (const PlacedCall& each : placed.calls) {
        if (each.call->expected != 0) continue;
        kernels_.enqueue_reference({each.call->input, 0, 1, each.call->n}, references_.address() + each.reference,
                                   partials_.address(), stream_.handle());
    }
}

void BatchChecker::prepare_buffers(const Placed& placed) {
    const CUstream stream = stream_.handle();
    mismatches_.fill(0, stream);
    outputs_.fill(poison_byte, placed.output_bytes, 0, stream);
    workspaces_.fill(poison_byte, placed.workspace_bytes, 0, stream);
    for (const PlacedWorkspace& workspace : placed.workspaces) {
        workspaces_.fill(0, workspace.zeroed_bytes, workspace.begin, stream);
    }
}

void BatchChecker::enqueue_calls(const launch::LoadedKernel& loaded_kernel, const Placed& placed) {
    for (const PlacedCall& each : placed.calls) {
        const launch::InputArrays input = input_of(loaded_kernel, *each.call);
        const bool is_last = &each == &placed.calls.back();
        if (is_last) begin_.record(stream_.handle());
        launch::enqueue(loaded_kernel, each.plan, input, outputs_.address() + each.output,
                        workspaces_.address() + each.workspace, stream_.handle());
        if (is_last) end_.record(stream_.handle());
    }
}

launch::InputArrays BatchChecker::input_of(const launch::LoadedKernel& loaded_kernel, const Call& call) {
    if (!loaded_kernel.destructive) return call.input;
    const CUdeviceptr copy = copy_.address() + call.input.first % copy_alignment;
    gpu::copy_on_device(copy, call.input.first, call.n * size_of(problem_.input), stream_.handle());
    return {copy, call.input.second};
}

JudgeRequest BatchChecker::judge_request(const PlacedCall& placed) const {
    const CUdeviceptr expected =
        placed.call->expected != 0 ? placed.call->expected : references_.address() + placed.reference;
    return {outputs_.address() + placed.output,    placed.results, 1, expected, 1, placed.results,
            exact_tolerance(problem_, placed.plan)};
}

/// Returns a description of the first wrong result or the first write past an output; empty if there is none. The
/// stream must be idle.
std::optional<std::string> BatchChecker::wrong_result(const Placed& placed) const {
    std::vector<Mismatch> mismatches(placed.calls.size());
    mismatches_.copy_to_host(mismatches.data(), mismatches.size() * sizeof(Mismatch));
    RangeReader outputs(outputs_, placed.output_bytes);
    for (std::size_t i = 0; i < placed.calls.size(); ++i) {
        const PlacedCall& each = placed.calls[i];
        if (auto wrong = kernels_.verdict(judge_request(each), mismatches[i])) {
            return fmt::format("{}: {}", each.call->name, *wrong);
        }
        const std::uint64_t end = each.output + each.results * size_of(problem_.output);
        if (!are_all(outputs.read(end, output_guard_bytes), poison_byte)) {
            return fmt::format("{}: the call wrote beyond the end of its output", each.call->name);
        }
    }
    return std::nullopt;
}

/// Returns a description of the first workspace that the calls left in a wrong state; empty if there is none. The
/// stream must be idle.
std::optional<std::string> BatchChecker::wrong_workspace(const Placed& placed) const {
    RangeReader workspaces(workspaces_, placed.workspace_bytes);
    for (const PlacedWorkspace& each : placed.workspaces) {
        if (!are_all(workspaces.read(each.begin, each.zeroed_bytes), 0)) {
            return fmt::format("{}: the workspace was not left zeroed for the next call", *each.name);
        }
        if (!are_all(workspaces.read(each.begin + each.bytes, workspace_guard_bytes), poison_byte)) {
            return fmt::format("{}: a call wrote past the end of its workspace", *each.name);
        }
    }
    return std::nullopt;
}

}  // namespace redtune::timing
