#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "compare/cub_subject.h"
#include "compare/find_winner.h"
#include "compare/library_subject.h"
#include "compare/load_winner.h"
#include "compare/pairing_failure.h"
#include "tuner/core/statistics.h"

namespace redtune::compare {

namespace {

const timing::Rounds rounds;

}  // namespace

Comparison::Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources,
                       jit::CubinCache& cache, const Catalog& catalog, Session& session, report::Streams streams,
                       Caller caller)
    : problem_(problem),
      catalog_(catalog),
      session_(session),
      streams_(streams),
      caller_(caller),
      families_(sources.families()),
      compiler_(sources, cache, session.device().architecture()),
      context_(compiler_, problem, largest_n, session),
      probes_(compiler_, session.device()),
      loader_(compiler_, families_, problem) {}

double Comparison::floor_us() {
    session_.prepare_streams(streams_, context_.kernels);
    timing::Subject subject;
    subject.is_judged = false;
    subject.enqueue = [this, plan = make_plan({.block = 32, .tile = 32}, 1)](std::uint32_t, const timing::CallBuffers&,
                                                                             CUstream stream) {
        launch::enqueue_empty(context_.kernels.empty_kernel(), plan, stream);
    };
    return context_.timer.interleave({&subject, 1}, {1, Regime::warm}).front().median_us;
}

std::optional<timing::Subject> Comparison::make_subject(const Match& winner, const timing::Cell& cell,
                                                        Determinism determinism, std::string& failure) {
    if (caller_ == Caller::library) {
        const auto key = std::pair(determinism, cell.regime);
        auto reducer = reducers_.find(key);
        if (reducer == reducers_.end()) {
            ReducerOptions options;
            options.select.regime = cell.regime;
            options.catalog = &catalog_;
            options.workspaces = 0;
            Problem problem = problem_;
            problem.determinism = determinism;
            reducer = reducers_.emplace(key, Reducer(problem, options)).first;
        }
        return library_subject(reducer->second, cell.n);
    }
    const std::optional<launch::LoadedKernel> kernel = load_winner(loader_, winner, failure);
    if (!kernel) return std::nullopt;
    return timing::kernel_subject(*kernel, problem_, cell.n);
}

void Comparison::add_winner(Subjects& subjects, const timing::Cell& cell, Determinism determinism, Outcome& outcome) {
    Problem problem = problem_;
    problem.determinism = determinism;
    std::string not_tuned;
    const auto match = find_winner(catalog_, problem, cell.n, cell.regime, session_.device().name, not_tuned);
    if (!match) {
        outcome.not_tuned.push_back(not_tuned);
        return;
    }
    const std::string configuration =
        to_string(Configuration{std::string(match->family), {match->parameters.begin(), match->parameters.end()}});
    const auto known = std::find(subjects.names.begin(), subjects.names.end(), configuration);
    const auto index = static_cast<std::size_t>(known - subjects.names.begin());
    if (known == subjects.names.end()) {
        std::string failure;
        std::optional<timing::Subject> subject = make_subject(*match, cell, determinism, failure);
        if (!subject) {
            outcome.failed.push_back(
                fmt::format("{}, determinism {}: {}", configuration, to_string(determinism), failure));
            return;
        }
        subjects.all.push_back(std::move(*subject));
        subjects.names.push_back(configuration);
    }
    subjects.winners.push_back({determinism, index, match->kind, match->tuned_n});
}

Outcome Comparison::run(const timing::Cell& cell, const std::vector<Determinism>& determinisms,
                        const std::vector<std::string>& cub_determinisms) {
    Outcome outcome;
    Subjects subjects;
    for (const std::string& determinism : cub_determinisms) {
        subjects.all.push_back(cub_subject(problem_, cell.n, determinism));
        subjects.names.push_back(fmt::format("CUB, {}", determinism));
    }
    for (const Determinism determinism : determinisms) add_winner(subjects, cell, determinism, outcome);
    if (subjects.winners.empty()) return outcome;

    std::optional<report::Limit> limit;
    const std::vector<Measurement> times = time(subjects, cell, limit, outcome);
    std::vector<bool> is_valid;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::string failure = pairing_failure(times[i], static_cast<std::size_t>(rounds.count));
        is_valid.push_back(failure.empty());
        if (!failure.empty()) outcome.failed.push_back(fmt::format("{}: {}", subjects.names[i], failure));
    }
    for (const Winner& winner : subjects.winners) {
        const Measurement& our_times = times[winner.subject];
        for (std::size_t cub = 0; cub < cub_determinisms.size(); ++cub) {
            if (!is_valid[winner.subject] || !is_valid[cub]) continue;
            const Interval interval = paired_ratio_interval(times[cub].samples_us, our_times.samples_us);
            report::ComparisonRow& row = outcome.rows.emplace_back();
            row.cell = report::compared_cell(problem_, cell.n, cell.regime, cell.offset, streams_);
            row.cell.data = context_.inputs.data().name;
            row.determinism = winner.determinism;
            row.cub_determinism = cub_determinisms[cub];
            row.redtune_us = our_times.median_us;
            row.cub_us = times[cub].median_us;
            row.ratio_low = interval.low;
            row.ratio_high = interval.high;
            row.configuration = subjects.names[winner.subject];
            row.match = winner.match;
            row.tuned_n = winner.tuned_n;
            row.limit = limit;
        }
    }
    return outcome;
}

std::vector<Measurement> Comparison::time(const Subjects& subjects, const timing::Cell& cell,
                                          std::optional<report::Limit>& limit, Outcome& outcome) {
    const FastestReaders readers =
        find_fastest_readers(context_.timer, probes_, problem_, cell, session_.device().sm_count);
    std::vector<timing::Subject> all = subjects.all;
    for (timing::Subject& probe : limit_subjects(probes_, problem_, cell, readers)) all.push_back(std::move(probe));
    session_.prepare_streams(streams_, context_.kernels);
    std::vector<Measurement> times = context_.timer.interleave(all, cell, rounds);
    std::string failure;
    limit = limit_of(std::span(times).subspan(subjects.all.size()), readers, result_count(problem_, cell.n),
                     static_cast<std::size_t>(rounds.count), failure);
    if (!failure.empty()) outcome.failed.push_back(failure);
    times.resize(subjects.all.size());
    return times;
}

}  // namespace redtune::compare
