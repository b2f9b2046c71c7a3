#include "compare/limit_measurement.h"

#include <fmt/format.h>

#include "compare/pairing_failure.h"
#include "tuner/timing/constants.h"

namespace redtune::compare {

namespace {

/// Number of samples of each shape in the search for the fastest reader. So few samples do not tell nearly equal shapes
/// apart, which does no harm: the chosen shape is then timed in all rounds.
constexpr int reader_samples = 5;

}  // namespace

FastestReaders find_fastest_readers(timing::Timer& timer, const LimitProbes& probes, const Problem& problem,
                                    const timing::Cell& cell, std::uint32_t sm_count) {
    FastestReaders fastest;
    double best_one_block_us = 0;
    double best_grid_us = 0;
    // A second array follows the first one in memory, so one reader reads both.
    const std::uint64_t bytes = bytes_read(problem, cell.n);
    const std::uint64_t words = reader_words(cell.offset * size_of(problem.input), bytes);
    if (words == 0) return fastest;
    for (const ReaderShape& shape : reader_shapes(words, sm_count)) {
        double& best_us = shape.grid == 1 ? best_one_block_us : best_grid_us;
        const Measurement times = timer.measure(probes.reader(cell.regime, shape, bytes), cell,
                                                {timing::screen_graph_us, reader_samples, reader_samples, 0, best_us});
        if (times.status != Status::ok || (best_us != 0 && times.median_us >= best_us)) continue;
        best_us = times.median_us;
        (shape.grid == 1 ? fastest.one_block : fastest.grid) = shape;
    }
    return fastest;
}

std::vector<timing::Subject> limit_subjects(const LimitProbes& probes, const Problem& problem, const timing::Cell& cell,
                                            const FastestReaders& readers) {
    std::vector<timing::Subject> subjects = {probes.empty_kernel(cell.regime), probes.single_load(cell.regime),
                                             probes.handover(cell.regime)};
    for (const std::optional<ReaderShape>& shape : {readers.one_block, readers.grid}) {
        if (shape) subjects.push_back(probes.reader(cell.regime, *shape, bytes_read(problem, cell.n)));
    }
    return subjects;
}

std::optional<report::Limit> limit_of(std::span<const Measurement> times, const FastestReaders& readers,
                                      std::uint64_t results, std::size_t rounds, std::string& failure) {
    constexpr const char* names[] = {"empty kernel", "load", "hand-over", "reader", "reader"};
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (const std::string why = pairing_failure(times[i], rounds); !why.empty()) {
            failure = fmt::format("limit, {}: {}", names[i], why);
            return std::nullopt;
        }
    }
    report::Limit limit;
    limit.empty_us = times[0].median_us;
    limit.load_us = times[1].median_us;
    limit.handover_us = times[2].median_us;
    limit.needs_handover = results == 1;
    std::size_t next = 3;
    if (readers.one_block) limit.one_block = {times[next++].median_us, to_string(*readers.one_block)};
    if (readers.grid) limit.grid = {times[next].median_us, to_string(*readers.grid)};
    // No reader was timed, because the input has no whole word. The time of one load takes its place.
    if (!readers.one_block && !readers.grid) limit.one_block = {limit.load_us, "one load"};
    return limit;
}

}  // namespace redtune::compare
