#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "redtune/export.h"
#include "redtune/match.h"
#include "redtune/problem.h"

namespace redtune {

/// The current state of tune(), for a progress display.
struct TuneProgress {
    bool is_compiling = false;     ///< kernels are being compiled; `n` and what follows it are not set
    std::size_t compiled = 0;      ///< kernels that are ready
    std::size_t kernels = 0;       ///< kernels that will be compiled
    std::uint64_t n = 0;           ///< the size that is measured
    Regime regime = Regime::cold;  ///< the regime that is measured
    std::size_t screened = 0;      ///< candidates of all sizes that have a time
    std::size_t candidates = 0;    ///< candidates of all sizes; a search ends before all of them have a time
    double best_us = 0;            ///< least time of this size so far; 0: none yet
    double remaining_s = 0;        ///< estimate for the rest, in seconds
};

/// The options of tune(); its problem is given apart.
struct TuneOptions {
    /// Sizes to tune, in elements of all rows together; at least one.
    std::vector<std::uint64_t> sizes;
    std::vector<Regime> regimes = {Regime::cold};  ///< conditions of the calls, each of which is tuned by itself
    /// "quick", "standard", "thorough" or "exhaustive": how many candidates of a size are screened.
    std::string effort = "standard";
    /// The time that the call may take; every size gets an equal share. Empty: no limit.
    std::optional<std::chrono::duration<double>> budget;
    /// Sizes to tune between neighbouring sizes, for each factor of 2.
    std::size_t between = 3;
    /// Ordinal of the GPU, as the CUDA driver counts.
    int device = 0;
    /// Name of a recording that is replayed in place of a GPU, such as "nvidia-h200"; empty: a GPU.
    std::string recording;
    /// The database that gets the results. Default: that of CatalogOptions::user_database.
    std::optional<std::filesystem::path> database;
    /// A file that defines the operator that Problem::op names, as in ReducerOptions; empty: none.
    std::string operator_file;
    /// The same operator as text, in place of a file; empty: none.
    std::string operator_source;
    /// Called in the thread of tune(), after each measurement; empty: no calls.
    std::function<void(const TuneProgress&)> progress;
    /// Set it from any thread, or a signal handler, to end the call after the current measurement. Null: nothing does.
    const std::atomic<bool>* stop = nullptr;
};

/// The outcome of a call of tune().
struct TuneResult {
    std::size_t screened = 0;              ///< candidates that were measured by this call
    std::size_t failed = 0;                ///< candidates that failed, now or in an earlier call
    std::size_t sizes_without_winner = 0;  ///< sizes, one for each regime, at which no candidate passed
    bool is_interrupted = false;           ///< TuneOptions::stop ended the call
    bool is_out_of_time = false;           ///< the budget was over before everything was measured
};

/// Finds the best configuration of each size on this machine's GPU and stores it, as the command `redtune tune` does,
/// with the same results. What the database has is not measured again. Searches with less than exhaustive effort begin
/// with what look-ups pick, from this database and the shipped ones. An interrupted call loses nothing; the next one
/// continues it.
///
/// A Catalog sees the results after Catalog::reload(), and a Reducer that is made after that uses them.
///
/// The call compiles with all processors, then measures in the calling thread, in the primary context of the device.
/// Times are right only while nothing else uses the GPU. Calls in several threads are allowed, on different devices.
/// @throws InputError for an option or size that is not allowed, or a recording that does not have the problem;
/// DeviceError if there is no GPU or it is lost; DatabaseError if the database cannot be read or written; CompileError
/// if NVRTC is missing
REDTUNE_EXPORT TuneResult tune(const Problem& problem, const TuneOptions& options);

}  // namespace redtune
