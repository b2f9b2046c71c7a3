#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compare/cub_reduce.h"
#include "compare/session.h"
#include "compare/subject.h"
#include "redtune/catalog.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/report/comparison.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/workspace.h"

namespace redtune::compare {

/// One input: a size in one regime, with the pointer `offset` elements off alignment.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;
};

/// What was measured of a cell: a row for each pair of determinisms, from samples of all in turns in one run.
struct Outcome {
    std::vector<report::ComparisonRow> rows;
    std::vector<std::string> not_tuned;  ///< for which determinism, and what would tune it
    std::vector<std::string> wrong;      ///< redtune's results that are, and how
};

/// Compares redtune's tuned configurations with CUB, for one problem on the first GPU.
class Comparison {
  public:
    /// @param largest_n elements of the largest cell
    Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources, jit::CubinCache& cache,
               const Catalog& catalog, Session& session, report::Streams streams);

    /// Microseconds that an empty kernel of one block takes in a chain like those of the cells.
    double floor_us();

    /// Redtune's winner for each of the determinisms against each of CUB's. Where two have one winner, it is measured
    /// once.
    Outcome run(const Cell& cell, const std::vector<Determinism>& determinisms,
                const std::vector<std::string>& cub_determinisms);

  private:
    /// A side of redtune's and one of CUB's, with what their calls need.
    struct Ours;
    struct Theirs;

    std::optional<Match> winner(const Cell& cell, Determinism determinism) const;
    BenchmarkContext context(const Cell& cell);
    std::unique_ptr<Ours> ours(const BenchmarkContext& context, const Cell& cell, const Match& match);
    std::unique_ptr<Theirs> theirs(const BenchmarkContext& context, const Cell& cell,
                                   const std::string& determinism) const;

    Problem problem_;
    const Catalog& catalog_;
    Session& session_;
    report::Streams streams_;
    std::vector<Family> families_;
    jit::Compiler compiler_;
    timing::SupportKernels kernels_;
    timing::Inputs inputs_;
    launch::KernelLoader loader_;
};

}  // namespace redtune::compare
