#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/benchmark_context.h"
#include "compare/limit_measurement.h"
#include "compare/session.h"
#include "redtune/catalog.h"
#include "redtune/reducer.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/report/comparison.h"

namespace redtune::compare {

/// The result of comparing one cell.
struct Outcome {
    std::vector<report::ComparisonRow> rows;  ///< one for each pair of a winner's determinism and one of CUB's
    std::vector<std::string> not_tuned;       ///< for each determinism without a winner, the command that tunes it
    std::vector<std::string> failed;          ///< subjects that have no valid time or could not be loaded, and why
};

/// What is called for redtune: the kernels of a winner, or Reducer::reduce(), as programs do.
enum class Caller { kernel, library };

/// Compares redtune's tuned configurations with CUB, for one problem on the first GPU.
class Comparison {
  public:
    /// @param largest_n elements of the largest cell, its offset included
    Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources, jit::CubinCache& cache,
               const Catalog& catalog, Session& session, report::Streams streams, Caller caller);

    /// Returns the microseconds that an empty kernel of one block takes, by the timer that times the cells.
    double floor_us();

    /// Selects the data of the inputs for later calls of run(); uniform at first.
    void use_data(const timing::Data& data) { context_.inputs.use(data); }

    /// Times redtune's winner for each of `determinisms`, CUB with each of `cub_determinisms`, and the probes of the
    /// limit, all in the same interleaved rounds.
    /// A winner that several determinisms share is timed once. A winner that cannot be loaded, because the kernels have
    /// changed since it was tuned, is listed in Outcome::failed.
    Outcome run(const timing::Cell& cell, const std::vector<Determinism>& determinisms,
                const std::vector<std::string>& cub_determinisms);

  private:
    /// The winner for a determinism.
    struct Winner {
        Determinism determinism = Determinism::any;
        std::size_t subject = 0;  ///< index in Subjects::all
        MatchKind match = MatchKind::exact;
        std::uint64_t tuned_n = 0;
    };

    /// The subjects of a cell: first CUB with each requested determinism, in the order of the request, then redtune's
    /// winners.
    struct Subjects {
        std::vector<timing::Subject> all;
        std::vector<std::string> names;  ///< the names of the subjects, for messages and rows
        std::vector<Winner> winners;
    };

    /// Returns the winner as a subject. Returns an empty value if it cannot be loaded, and sets `failure`.
    std::optional<timing::Subject> make_subject(const Match& winner, const timing::Cell& cell, Determinism determinism,
                                                std::string& failure);

    /// Adds the winner for a determinism to the subjects. If there is none, adds the reason to the outcome.
    void add_winner(Subjects& subjects, const timing::Cell& cell, Determinism determinism, Outcome& outcome);

    /// Times the subjects and the probes of the limit. Returns the measurements of the subjects.
    std::vector<Measurement> time(const Subjects& subjects, const timing::Cell& cell,
                                  std::optional<report::Limit>& limit, Outcome& outcome);

    Problem problem_;
    const Catalog& catalog_;
    Session& session_;
    report::Streams streams_;
    Caller caller_;
    std::map<std::pair<Determinism, Regime>, Reducer> reducers_;  ///< made when they are first used
    std::vector<Family> families_;
    jit::Compiler compiler_;
    BenchmarkContext context_;
    LimitProbes probes_;
    launch::KernelLoader loader_;
};

}  // namespace redtune::compare
