#include "tuner/timing/batch_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/core/size_list.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/round_up.h"

namespace redtune::timing {

namespace {

// The address of an input and that of its copy are equal modulo this, so that both have the same alignment.
constexpr std::uint64_t copy_alignment = 256;

void grow(gpu::DeviceBuffer& buffer, std::uint64_t bytes) {
    if (buffer.size() < bytes) buffer = gpu::DeviceBuffer(bytes);
}

std::string name_of(const BatchChecker::Call& call) {
    std::string name = fmt::format("n = {}", format_size(call.n));
    if (call.offset != 0) name += fmt::format(", {} elements off alignment", call.offset);
    return name;
}

/// Returns a plan whose workspace is large enough for calls of both plans.
LaunchPlan plan_with_largest_workspace(const LaunchPlan& first, const LaunchPlan& second) {
    LaunchPlan largest = first.workspace_bytes < second.workspace_bytes ? second : first;
    largest.zeroed_bytes = std::max(first.zeroed_bytes, second.zeroed_bytes);
    return largest;
}

template <class Calls>
LaunchPlan plan_with_largest_workspace(const Calls& calls) {
    LaunchPlan largest;
    for (const auto& call : calls) largest = plan_with_largest_workspace(largest, call.plan);
    return largest;
}

}  // namespace

BatchChecker::BatchChecker(const SupportKernels& kernels, const Inputs& inputs, const Problem& problem,
                           gpu::Stream& stream)
    : kernels_(kernels), inputs_(inputs), problem_(problem), stream_(stream) {}

std::optional<std::string> BatchChecker::check(const launch::LoadedKernel& loaded_kernel, std::span<const Call> calls) {
    const std::vector<PlacedCall> placed = plan_calls(loaded_kernel.rule, calls);
    enqueue_references(placed);
    enqueue_calls(loaded_kernel, placed);
    mismatches_.fill(0, stream_.handle());
    for (std::size_t i = 0; i < placed.size(); ++i) {
        kernels_.enqueue_judge(judge_request(placed[i]), mismatches_.address() + i * sizeof(Mismatch),
                               stream_.handle());
    }
    stream_.synchronize();
    if (auto wrong = verdict(placed)) return wrong;
    return workspace_.check(plan_with_largest_workspace(placed));
}

/// Plans the calls, assigns each its byte offsets in the buffers, and allocates the buffers.
std::vector<BatchChecker::PlacedCall> BatchChecker::plan_calls(const LaunchRule& rule, std::span<const Call> calls) {
    std::vector<PlacedCall> placed;
    std::uint64_t outputs = 0;
    ReferenceBytes total;
    std::uint64_t copy_bytes = 0;
    for (const Call& call : calls) {
        const std::uint64_t results = result_count(problem_, call.n);
        placed.push_back({call, make_plan(rule, extents_of(problem_, call.n)), results, outputs, total.results});
        outputs += round_up(results * size_of(problem_.output), output_guard_bytes) + output_guard_bytes;
        const ReferenceBytes own = kernels_.reference_bytes({inputs_.exact(call.offset), 0, 1, call.n});
        total.results += round_up(own.results, output_guard_bytes);
        total.partials = std::max(total.partials, own.partials);  // reused: the references are computed one by one
        copy_bytes = std::max(copy_bytes, call.n * size_of(problem_.input));
    }
    grow(outputs_, outputs);
    grow(references_, total.results);
    grow(partials_, total.partials);
    grow(mismatches_, calls.size() * sizeof(Mismatch));
    grow(copy_, copy_bytes + copy_alignment);
    return placed;
}

void BatchChecker::enqueue_references(const std::vector<PlacedCall>& calls) {
    for (const PlacedCall& placed : calls) {
        kernels_.enqueue_reference({inputs_.exact(placed.call.offset), 0, 1, placed.call.n},
                                   references_.address() + placed.reference, partials_.address(), stream_.handle());
    }
}

void BatchChecker::enqueue_calls(const launch::LoadedKernel& loaded_kernel, const std::vector<PlacedCall>& calls) {
    outputs_.fill(poison_byte, stream_.handle());
    workspace_.prepare(plan_with_largest_workspace(calls), stream_.handle());
    for (const PlacedCall& placed : calls) {
        launch::enqueue(loaded_kernel, placed.plan, input_of(loaded_kernel, placed.call),
                        outputs_.address() + placed.output, workspace_.address(), stream_.handle());
    }
}

launch::InputArrays BatchChecker::input_of(const launch::LoadedKernel& loaded_kernel, const Call& call) {
    const launch::InputArrays input = inputs_.exact(call.offset);
    if (!loaded_kernel.destructive) return input;
    const CUdeviceptr copy = copy_.address() + input.first % copy_alignment;
    gpu::copy_on_device(copy, input.first, call.n * size_of(problem_.input), stream_.handle());
    return {copy, input.second};
}

JudgeRequest BatchChecker::judge_request(const PlacedCall& placed) const {
    return {outputs_.address() + placed.output,
            placed.results,
            1,
            references_.address() + placed.reference,
            1,
            placed.results,
            exact_tolerance(problem_, placed.plan)};
}

/// Returns a description of the first wrong result or the first write past an output; empty if there is none. The
/// stream must be idle.
std::optional<std::string> BatchChecker::verdict(const std::vector<PlacedCall>& calls) const {
    std::vector<Mismatch> mismatches(calls.size());
    mismatches_.copy_to_host(mismatches.data(), mismatches.size() * sizeof(Mismatch));
    std::vector<unsigned char> outputs(outputs_.size());
    outputs_.copy_to_host(outputs.data(), outputs.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (auto wrong = kernels_.verdict(judge_request(calls[i]), mismatches[i])) {
            return fmt::format("{}: {}", name_of(calls[i].call), *wrong);
        }
        const auto guard = outputs.begin() +
                           static_cast<std::ptrdiff_t>(calls[i].output + calls[i].results * size_of(problem_.output));
        if (std::any_of(guard, guard + output_guard_bytes, [](unsigned char byte) { return byte != poison_byte; })) {
            return fmt::format("{}: the call wrote beyond the end of its output", name_of(calls[i].call));
        }
    }
    return std::nullopt;
}

}  // namespace redtune::timing
