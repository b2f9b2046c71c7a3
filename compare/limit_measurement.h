#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/limit_probes.h"
#include "tuner/core/measurement.h"
#include "tuner/report/limit.h"
#include "tuner/timing/timer.h"

namespace redtune::compare {

/// The readers whose times are parts of a cell's limit: the fastest shape of one block, and of several.
struct FastestReaders {
    std::optional<ReaderShape> one_block;
    std::optional<ReaderShape> grid;
};

/// Screens all reader_shapes() of a cell with a few samples each and returns the fastest. Both are empty if the input
/// has no whole word.
FastestReaders find_fastest_readers(timing::Timer& timer, const LimitProbes& probes, const Problem& problem,
                                    const timing::Cell& cell, std::uint32_t sm_count);

/// Returns the subjects of the limit, in the order that limit_of() expects: empty kernel, load, hand-over, and a reader
/// for each shape in `readers`.
std::vector<timing::Subject> limit_subjects(const LimitProbes& probes, const Problem& problem, const timing::Cell& cell,
                                            const FastestReaders& readers);

/// Returns the limit from the measurements of limit_subjects(), which were taken in `rounds` rounds. Returns an empty
/// value if a probe has no valid time; `failure` then says which.
std::optional<report::Limit> limit_of(std::span<const Measurement> times, const FastestReaders& readers,
                                      std::uint64_t results, std::size_t rounds, std::string& failure);

}  // namespace redtune::compare
