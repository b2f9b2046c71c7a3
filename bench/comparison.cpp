#include "bench/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/space.h"
#include "tuner/bench/constants.h"
#include "tuner/cli/bench_options.h"
#include "tuner/cli/problem_options.h"
#include "tuner/core/size_list.h"
#include "tuner/core/statistics.h"

namespace redtune::comparison {

namespace {

// Elements of room behind the last input for a pointer that is off alignment.
constexpr std::uint64_t slack = cli::most_offset;

/// One sample of every contender each round, there and back, so that drift touches all alike.
void take_turns(const std::vector<Contender*>& contenders) {
    for (int round = 0; round < bench::final_rounds; ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            contenders[round % 2 == 0 ? i : contenders.size() - 1 - i]->take();
        }
    }
}

}  // namespace

struct Comparison::Ours {
    search::Trial trial;
    bench::Runnable runnable;
    LaunchPlan plan;
    bench::Workspace workspace;
    std::optional<Contender> contender;
};

struct Comparison::Theirs {
    CubCall call;
    std::size_t bytes;
    gpu::DeviceBuffer workspace;
    std::optional<Contender> contender;
};

Comparison::Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources,
                       jit::CubinCache& cache, const Catalog& catalog, Session& session, report::Streams streams)
    : problem_(problem),
      catalog_(catalog),
      session_(session),
      streams_(streams),
      families_(sources.families()),
      compiler_(sources, cache, session.device().architecture()),
      kernels_(compiler_, problem, session.device().sm_count),
      inputs_(kernels_, problem, largest_n + slack, session.stream()),
      loader_(compiler_, problem) {}

double Comparison::floor_us() {
    session_.enter(streams_, kernels_);
    const Circuit chain = circuit({1, Regime::warm, 0});
    const LaunchPlan plan = make_plan({.block = 32, .tile = 32}, 1);
    Contender contender(chain, [&](std::uint32_t, const bench::InputArrays&, CUdeviceptr, CUstream stream) {
        bench::enqueue_empty(kernels_.empty(), plan, stream);
    });
    contender.sample();
    for (int i = 0; i < bench::final_rounds; ++i) contender.take();
    return median(contender.taken());
}

std::optional<search::Trial> Comparison::winner(const Cell& cell, Determinism determinism) const {
    Problem problem = problem_;
    problem.determinism = determinism;
    const auto match = catalog_.find(problem, cell.n, session_.device().name, cell.regime);
    if (!match) return std::nullopt;
    for (const Family& family : families_) {
        if (family.name != match->family) continue;
        for (Candidate& candidate : db::candidates(family, session_.device(), problem, match->tuned_n, cell.regime)) {
            const auto& parameters = candidate.configuration.parameters;
            if (std::equal(parameters.begin(), parameters.end(), match->parameters.begin(), match->parameters.end())) {
                return search::Trial{&family, std::move(candidate)};
            }
        }
    }
    return std::nullopt;
}

Circuit Comparison::circuit(const Cell& cell) {
    const std::uint64_t element_bytes = size_of(problem_.input);
    Circuit circuit{kernels_, session_.flush(), session_.stream(), session_.outputs(), {}, {}, cell.regime};
    circuit.timing =
        bench::plan_timing((cell.n + slack) * element_bytes, cell.regime, bench::long_replay_us,
                           {session_.device().l2_bytes, session_.device().peak_gb_per_s, inputs_.pool_bytes()});
    circuit.input = [this, timing = circuit.timing, cell, element_bytes](std::uint32_t input) {
        bench::InputArrays arrays = inputs_.timed(timing, cell.n, input);
        arrays.first += cell.offset * element_bytes;
        return arrays;
    };
    return circuit;
}

std::unique_ptr<Comparison::Ours> Comparison::ours(const Circuit& circuit, const Cell& cell, search::Trial trial) {
    loader_.prepare({&trial, 1});
    const bench::Runnable runnable = loader_.load(trial);
    auto side = std::make_unique<Ours>(
        Ours{std::move(trial), runnable, make_plan(runnable.rule, cell.n), bench::Workspace(&kernels_), {}});
    side->workspace.prepare(side->plan, session_.stream().handle());
    side->contender.emplace(circuit, [&of = *side](std::uint32_t call, const bench::InputArrays& input,
                                                   CUdeviceptr output, CUstream stream) {
        bench::enqueue(of.runnable, call == 0 ? bench::begins_chain(of.plan) : of.plan, input, output,
                       of.workspace.address(), stream);
    });
    return side;
}

std::unique_ptr<Comparison::Theirs> Comparison::theirs(const Circuit& circuit, const Cell& cell,
                                                       const std::string& determinism) const {
    const CubCall call{problem_.op, to_string(problem_.input), determinism};
    const std::size_t bytes = cub_workspace_bytes(call, cell.n);
    // CUB takes a null for the question how much it needs, also where that is nothing.
    auto side = std::make_unique<Theirs>(Theirs{call, bytes, gpu::DeviceBuffer(bytes + 1), {}});
    side->contender.emplace(circuit, [&of = *side, n = cell.n](std::uint32_t, const bench::InputArrays& input,
                                                               CUdeviceptr output, CUstream stream) {
        cub_reduce(of.call, reinterpret_cast<void*>(of.workspace.address()), of.bytes,
                   reinterpret_cast<const void*>(input.first), reinterpret_cast<void*>(output), n, stream);
    });
    return side;
}

Outcome Comparison::run(const Cell& cell, const std::vector<Determinism>& determinisms,
                        const std::vector<std::string>& cub_determinisms) {
    Outcome outcome;
    const Circuit with = circuit(cell);
    std::vector<std::unique_ptr<Theirs>> cubs;
    std::vector<Contender*> contenders;
    for (const std::string& determinism : cub_determinisms) {
        contenders.push_back(&*cubs.emplace_back(theirs(with, cell, determinism))->contender);
        contenders.back()->sample();
    }
    const gpu::DeviceBuffer expected = kernels_.reference({with.input(0), 0, 1, cell.n}, session_.stream().handle());
    std::vector<std::unique_ptr<Ours>> winners;
    std::vector<std::pair<Determinism, Ours*>> sides;
    for (const Determinism determinism : determinisms) {
        auto trial = winner(cell, determinism);
        if (!trial) {
            Problem problem = problem_;
            problem.determinism = determinism;
            outcome.not_tuned.push_back(fmt::format("not tuned; `redtune tune {} --size {} --regime {}` does that",
                                                    cli::as_options(problem), format_size(cell.n),
                                                    to_string(cell.regime)));
            continue;
        }
        const std::string configuration = to_string(trial->candidate.configuration);
        const auto same = std::find_if(winners.begin(), winners.end(), [&](const auto& side) {
            return to_string(side->trial.candidate.configuration) == configuration;
        });
        if (same != winners.end()) {
            sides.emplace_back(determinism, same->get());
            continue;
        }
        auto side = ours(with, cell, std::move(*trial));
        side->contender->sample();
        if (const auto wrong = kernels_.judge({session_.outputs().address(), 1, 1, expected.address(), 1, 1,
                                               bench::timed_tolerance(problem_, side->plan)},
                                              session_.stream().handle())) {
            outcome.wrong.push_back(fmt::format("wrong: {}: {}", configuration, *wrong));
            continue;
        }
        contenders.push_back(&*side->contender);
        sides.emplace_back(determinism, winners.emplace_back(std::move(side)).get());
    }
    if (sides.empty()) return outcome;

    session_.enter(streams_, kernels_);
    take_turns(contenders);
    for (const auto& [determinism, side] : sides) {
        for (const auto& cub : cubs) {
            const Interval interval = paired_ratio_interval(cub->contender->taken(), side->contender->taken());
            outcome.rows.push_back({problem_.op, std::string(to_string(problem_.input)), determinism,
                                    std::string(cub->call.determinism), cell.n * size_of(problem_.input), cell.n,
                                    cell.regime, cell.offset, median(side->contender->taken()),
                                    median(cub->contender->taken()), interval.low, interval.high,
                                    to_string(side->trial.candidate.configuration), streams_});
        }
    }
    return outcome;
}

}  // namespace redtune::comparison
