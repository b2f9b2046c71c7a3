#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "compare/cell_request.h"
#include "compare/session.h"
#include "redtune/catalog.h"
#include "tuner/core/trial.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/report/kernel_comparison.h"
#include "tuner/timing/timer.h"

namespace redtune::compare {

/// One version of the device sources, with its families and its compiler.
struct KernelVersion {
    KernelVersion(jit::SourceSet from, jit::CubinCache& cache, const std::string& architecture)
        : sources(std::move(from)), families(sources.families()), compiler(sources, cache, architecture) {}

    jit::SourceSet sources;
    std::vector<Family> families;
    jit::Compiler compiler;
};

/// A cell whose tuned configuration exists in both versions.
struct KernelCell {
    timing::Cell cell;
    Trial new_trial;
    Trial old_trial;
};

/// The cells of one problem, in the order in which they are timed. All are timed with one kind of data, then all with
/// the next.
struct KernelCells {
    Problem problem;
    std::vector<timing::Data> data;
    std::vector<KernelCell> cells;
};

/// The result of comparing one problem.
struct KernelOutcome {
    std::vector<report::KernelComparisonRow> rows;
    std::vector<std::string> failures;  ///< cells that were not timed, and why
};

/// Returns the requested cells that are tuned, grouped by problem. If one version lacks the tuned configuration of a
/// cell, the cell is left out and a message is added to `failures`.
std::vector<KernelCells> find_cells(const CellRequest& request, const Catalog& catalog, const DeviceInfo& device,
                                    const std::vector<Family>& new_families, const std::vector<Family>& old_families,
                                    std::vector<std::string>& failures);

/// Compiles all kernels of the cells, on all cores.
void compile_cells(const std::vector<KernelCells>& problems, KernelVersion& new_version, KernelVersion& old_version);

/// Times both versions of each cell in interleaved rounds, on the same inputs, outputs and workspace, and checks the
/// results of both.
KernelOutcome compare_kernels(const KernelCells& cells, KernelVersion& new_version, KernelVersion& old_version,
                              Session& session, const timing::Rounds& rounds, const std::atomic<bool>& stop);

}  // namespace redtune::compare
