#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/cli/bench_options.h"
#include "tuner/cli/problem_options.h"
#include "tuner/core/size_list.h"
#include "tuner/core/statistics.h"
#include "tuner/timing/constants.h"

namespace redtune::compare {

namespace {

// Elements of room behind the last input for a pointer that is off alignment.
constexpr std::uint64_t slack = cli::most_offset;

/// One sample of every subject each round, there and back, so that drift touches all alike.
void take_turns(const std::vector<Subject*>& subjects) {
    for (int round = 0; round < timing::final_rounds; ++round) {
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            subjects[round % 2 == 0 ? i : subjects.size() - 1 - i]->take();
        }
    }
}

std::string name_of(const Match& match) {
    return to_string(Configuration{std::string(match.family), {match.parameters.begin(), match.parameters.end()}});
}

}  // namespace

struct Comparison::Ours {
    std::string configuration;
    launch::LoadedKernel loaded_kernel;
    LaunchPlan plan;
    timing::Workspace workspace;
    std::optional<Subject> subject;
};

struct Comparison::Theirs {
    CubCall call;
    std::size_t bytes;
    gpu::DeviceBuffer workspace;
    std::optional<Subject> subject;
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
      loader_(compiler_, families_, problem) {}

double Comparison::floor_us() {
    session_.enter(streams_, kernels_);
    const BenchmarkContext chain = context({1, Regime::warm, 0});
    const LaunchPlan plan = make_plan({.block = 32, .tile = 32}, 1);
    Subject subject(chain, [&](std::uint32_t, const launch::InputArrays&, CUdeviceptr, CUstream stream) {
        launch::enqueue_empty(kernels_.empty(), plan, stream);
    });
    subject.sample();
    for (int i = 0; i < timing::final_rounds; ++i) subject.take();
    return median(subject.taken());
}

std::optional<Match> Comparison::winner(const Cell& cell, Determinism determinism) const {
    Problem problem = problem_;
    problem.determinism = determinism;
    return catalog_.find(problem, cell.n, session_.device().name, cell.regime);
}

BenchmarkContext Comparison::context(const Cell& cell) {
    const std::uint64_t element_bytes = size_of(problem_.input);
    BenchmarkContext context{kernels_, session_.flush(), session_.stream(), session_.outputs(), {}, {}, cell.regime};
    context.timing =
        timing::plan_timing((cell.n + slack) * element_bytes, cell.regime, timing::long_graph_us,
                            {session_.device().l2_bytes, session_.device().peak_gb_per_s, inputs_.pool_bytes()});
    context.input = [this, timing = context.timing, cell, element_bytes](std::uint32_t input) {
        launch::InputArrays arrays = inputs_.timed(timing, cell.n, input);
        arrays.first += cell.offset * element_bytes;
        return arrays;
    };
    return context;
}

std::unique_ptr<Comparison::Ours> Comparison::ours(const BenchmarkContext& context, const Cell& cell,
                                                   const Match& match) {
    const launch::LoadedKernel loaded_kernel = loader_.load(match);
    auto side = std::make_unique<Ours>(
        Ours{name_of(match), loaded_kernel, make_plan(loaded_kernel.rule, cell.n), timing::Workspace(&kernels_), {}});
    side->workspace.prepare(side->plan, session_.stream().handle());
    side->subject.emplace(context, [&of = *side](std::uint32_t call, const launch::InputArrays& input,
                                                 CUdeviceptr output, CUstream stream) {
        launch::enqueue(of.loaded_kernel, call == 0 ? launch::without_leading_pdl(of.plan) : of.plan, input, output,
                        of.workspace.address(), stream);
    });
    return side;
}

std::unique_ptr<Comparison::Theirs> Comparison::theirs(const BenchmarkContext& context, const Cell& cell,
                                                       const std::string& determinism) const {
    const CubCall call{problem_.op, to_string(problem_.input), determinism};
    const std::size_t bytes = cub_workspace_bytes(call, cell.n);
    // CUB takes a null for the question how much it needs, also where that is nothing.
    auto side = std::make_unique<Theirs>(Theirs{call, bytes, gpu::DeviceBuffer(bytes + 1), {}});
    side->subject.emplace(context, [&of = *side, n = cell.n](std::uint32_t, const launch::InputArrays& input,
                                                             CUdeviceptr output, CUstream stream) {
        cub_reduce(of.call, reinterpret_cast<void*>(of.workspace.address()), of.bytes,
                   reinterpret_cast<const void*>(input.first), reinterpret_cast<void*>(output), n, stream);
    });
    return side;
}

Outcome Comparison::run(const Cell& cell, const std::vector<Determinism>& determinisms,
                        const std::vector<std::string>& cub_determinisms) {
    Outcome outcome;
    const BenchmarkContext with = context(cell);
    std::vector<std::unique_ptr<Theirs>> cubs;
    std::vector<Subject*> subjects;
    for (const std::string& determinism : cub_determinisms) {
        subjects.push_back(&*cubs.emplace_back(theirs(with, cell, determinism))->subject);
        subjects.back()->sample();
    }
    const gpu::DeviceBuffer expected = kernels_.reference({with.input(0), 0, 1, cell.n}, session_.stream().handle());
    std::vector<std::unique_ptr<Ours>> winners;
    std::vector<std::pair<Determinism, Ours*>> sides;
    for (const Determinism determinism : determinisms) {
        const auto match = winner(cell, determinism);
        if (!match) {
            Problem problem = problem_;
            problem.determinism = determinism;
            outcome.not_tuned.push_back(fmt::format("not tuned; `redtune tune {} --size {} --regime {}` does that",
                                                    cli::as_options(problem), format_size(cell.n),
                                                    to_string(cell.regime)));
            continue;
        }
        const std::string configuration = name_of(*match);
        const auto same = std::find_if(winners.begin(), winners.end(),
                                       [&](const auto& side) { return side->configuration == configuration; });
        if (same != winners.end()) {
            sides.emplace_back(determinism, same->get());
            continue;
        }
        auto side = ours(with, cell, *match);
        side->subject->sample();
        if (const auto wrong = kernels_.judge({session_.outputs().address(), 1, 1, expected.address(), 1, 1,
                                               timing::timed_tolerance(problem_, side->plan)},
                                              session_.stream().handle())) {
            outcome.wrong.push_back(fmt::format("wrong: {}: {}", configuration, *wrong));
            continue;
        }
        subjects.push_back(&*side->subject);
        sides.emplace_back(determinism, winners.emplace_back(std::move(side)).get());
    }
    if (sides.empty()) return outcome;

    session_.enter(streams_, kernels_);
    take_turns(subjects);
    for (const auto& [determinism, side] : sides) {
        for (const auto& cub : cubs) {
            const Interval interval = paired_ratio_interval(cub->subject->taken(), side->subject->taken());
            outcome.rows.push_back(
                {problem_.op, std::string(to_string(problem_.input)), determinism, std::string(cub->call.determinism),
                 cell.n * size_of(problem_.input), cell.n, cell.regime, cell.offset, median(side->subject->taken()),
                 median(cub->subject->taken()), interval.low, interval.high, side->configuration, streams_});
        }
    }
    return outcome;
}

}  // namespace redtune::compare
