#include "bench/comparison.h"

#include <algorithm>
#include <chrono>

#include "bench/contender.h"
#include "bench/cub_reduce.h"
#include "db/space.h"
#include "tuner/bench/constants.h"
#include "tuner/core/statistics.h"

namespace redtune::comparison {

namespace {

// Room behind the last input for a pointer that is off alignment.
constexpr std::uint64_t slack = 64;
constexpr std::uint64_t output_bytes = 256;

}  // namespace

Comparison::Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources,
                       jit::CubinCache& cache, const Catalog& catalog)
    : problem_(problem),
      catalog_(catalog),
      device_(gpu::device_at(0)),
      context_(0),
      families_(sources.families()),
      compiler_(sources, cache, device_.info.architecture()),
      kernels_(compiler_, problem, device_.info.sm_count),
      inputs_(kernels_, problem, largest_n + slack, stream_),
      loader_(compiler_, problem),
      flush_(static_cast<std::uint64_t>(bench::flush_span_of_l2 * static_cast<double>(device_.info.l2_bytes))),
      outputs_(bench::max_calls * output_bytes) {
    flush_.fill(0, stream_.handle());
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500)) {
        for (int i = 0; i < 20; ++i) kernels_.read(flush_, stream_.handle());
        stream_.synchronize();
    }
}

std::optional<search::Trial> Comparison::trial(const Match& match) const {
    for (const Family& family : families_) {
        if (family.name != match.family) continue;
        for (Candidate& candidate : db::candidates(family, device_.info, problem_, match.tuned_n)) {
            const auto& parameters = candidate.configuration.parameters;
            if (std::equal(parameters.begin(), parameters.end(), match.parameters.begin(), match.parameters.end())) {
                return search::Trial{&family, std::move(candidate)};
            }
        }
    }
    return std::nullopt;
}

Outcome Comparison::run(const Cell& cell) {
    Outcome outcome;
    const auto match = catalog_.find(problem_, cell.n, device_.info.name, cell.regime);
    const auto chosen = match ? trial(*match) : std::nullopt;
    if (!chosen) {
        outcome.problem = "not tuned";
        return outcome;
    }
    outcome.configuration = to_string(chosen->candidate.configuration);
    loader_.prepare({&*chosen, 1});
    const bench::Runnable runnable = loader_.load(*chosen);
    const LaunchPlan plan = make_plan(runnable.rule, cell.n);
    const std::uint64_t element_bytes = size_of(problem_.input);

    Circuit circuit{kernels_, flush_, stream_, outputs_, {}, {}, cell.regime};
    circuit.timing = bench::plan_timing((cell.n + slack) * element_bytes, cell.regime, bench::long_replay_us,
                                        {device_.info.l2_bytes, device_.info.peak_gb_per_s, inputs_.pool_bytes()});
    circuit.input = [&](std::uint32_t input) {
        bench::InputArrays arrays = inputs_.timed(circuit.timing, cell.n, input);
        arrays.first += cell.offset * element_bytes;
        return arrays;
    };

    workspace_.prepare(plan, stream_.handle());
    const Call ours = [&](const bench::InputArrays& input, CUdeviceptr output, CUstream stream) {
        bench::enqueue(runnable, plan, input, output, workspace_.address(), stream);
    };
    const std::size_t cub_bytes = cub_workspace_bytes(problem_.op, to_string(problem_.input), cell.n);
    const gpu::DeviceBuffer cub_workspace(cub_bytes + 1);
    const Call theirs = [&](const bench::InputArrays& input, CUdeviceptr output, CUstream stream) {
        cub_reduce(problem_.op, to_string(problem_.input), reinterpret_cast<void*>(cub_workspace.address()), cub_bytes,
                   reinterpret_cast<const void*>(input.first), reinterpret_cast<void*>(output), cell.n, stream);
    };
    Contender redtune(circuit, ours);
    Contender cub(circuit, theirs);
    cub.sample();
    redtune.sample();
    const gpu::DeviceBuffer expected = kernels_.reference({circuit.input(0), 0, 1, cell.n}, stream_.handle());
    if (const auto wrong =
            kernels_.judge({outputs_.address(), 1, 1, expected.address(), 1, 1, bench::timed_tolerance(problem_, plan)},
                           stream_.handle())) {
        outcome.problem = "wrong: " + *wrong;
        return outcome;
    }

    std::vector<double> of_redtune;
    std::vector<double> of_cub;
    for (int round = 0; round < bench::final_rounds; ++round) {
        if (round % 2 == 0) of_redtune.push_back(redtune.sample());
        of_cub.push_back(cub.sample());
        if (round % 2 != 0) of_redtune.push_back(redtune.sample());
    }
    outcome.redtune_us = median(of_redtune);
    outcome.cub_us = median(of_cub);
    const Interval interval = paired_ratio_interval(of_cub, of_redtune);
    outcome.ratio = outcome.cub_us / outcome.redtune_us;
    outcome.ratio_low = interval.low;
    outcome.ratio_high = interval.high;
    return outcome;
}

}  // namespace redtune::comparison
