#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/stored_cell.h"

namespace redtune::search {

/// The verdict of a new measurement on a stored winner.
enum class Verdict : std::uint8_t {
    ok,
    slower,          ///< than its stored time, by more than the tolerance
    faster,          ///< than its stored time, by more than the tolerance
    no_longer_best,  ///< another finalist is faster now, by more than the tolerance
    cannot_run       ///< it fails now, or is not measurable
};

std::string_view to_string(Verdict verdict) noexcept;

/// A finalist that is faster than the winner now.
struct BetterNow {
    Configuration configuration;
    double us = 0;
};

/// A winner that was measured again.
struct Verification {
    Verdict verdict = Verdict::ok;
    double stored_us = 0;
    double now_us = 0;  ///< 0: it cannot run
    /// The fastest finalist, if it is shown to be faster than the winner: the times differ by more than a tie and the
    /// 95 % interval of the paired ratios lies above 1.
    std::optional<BetterNow> best_now;
    std::vector<std::string> reasons;  ///< one phrase each; empty if the verdict is ok
};

struct VerifyOptions {
    double tolerance = 0.05;  ///< fraction by which a time may change
    int rounds = 0;           ///< samples of each finalist
};

/// The finalists of a cell as trials: the winner first, then the rivals. Configurations of families that no longer
/// exist are left out, except the winner's.
std::vector<Trial> trials_of(const StoredCell& cell, const std::vector<Family>& families);

/// Measures the winner of a cell again, in interleaved rounds with the other stored finalists, so that a slow-down of
/// the whole device is told from a winner that is no longer the best. Results are checked first, as in a sweep.
///
/// A winner that was chosen on several kinds of data or among several units may have been slower than another finalist
/// from the start; it is no longer the best only if it fell behind by more than that.
/// @throws DeviceError if the device itself is lost
Verification verify(const StoredCell& cell, Executor& executor, const std::vector<Family>& families,
                    const VerifyOptions& options);

}  // namespace redtune::search
