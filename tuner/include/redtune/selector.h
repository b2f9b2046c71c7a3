#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/export.h"
#include "redtune/match.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"

namespace redtune {

/// A family with the hash of its device code.
struct FamilyCode {
    std::string family;     ///< name of the family
    std::string code_hash;  ///< hash of its device code

    /// Returns whether name and hash are equal.
    friend bool operator==(const FamilyCode&, const FamilyCode&) = default;
};

/// The software with which kernels are compiled and run now. An empty member is not compared with what was recorded.
struct Software {
    std::string driver_version;        ///< "580.159.04"
    std::string nvrtc_version;         ///< "13.0"
    std::vector<FamilyCode> families;  ///< a family that is not in a list that is not empty counts as changed

    /// Returns whether all members are equal.
    friend bool operator==(const Software&, const Software&) = default;
};

/// A kernel for which a selector asks how many of its blocks a device can run at once.
struct OccupancyQuestion {
    std::string_view family;                ///< name of the family
    std::span<const Parameter> parameters;  ///< all parameters with their values
    std::uint32_t block = 0;                ///< threads per block
    std::uint32_t shared_bytes = 0;         ///< dynamic shared memory per block
    std::uint32_t cluster = 1;              ///< blocks per cluster
};

/// Returns how many blocks of the kernel are resident at once on the whole device
/// (cuOccupancyMaxActiveBlocksPerMultiprocessor x SMs; for clusters cuOccupancyMaxActiveClusters x `cluster`); empty if
/// that is not known.
using OccupancyQuery = std::function<std::optional<std::uint64_t>(const OccupancyQuestion&)>;

/// The limits that a selector keeps; problem and device are given apart.
struct SelectOptions {
    Regime regime = Regime::cold;  ///< the conditions of the calls, for which winners can differ
    std::optional<std::uint64_t> max_workspace_bytes = {};  ///< largest LaunchPlan::workspace_bytes; empty: no limit
    /// false: no programmatic dependent launch, neither of the first kernel nor between the kernels of a call.
    bool allow_pdl = true;
    /// false: no configuration in which a block waits for other blocks of its grid, which must then make progress.
    bool allow_forward_progress = true;
    std::vector<MatchKind> kinds = {};      ///< the kinds of match that are allowed; empty: all
    std::optional<Software> software = {};  ///< what Match::stale is compared with; empty: nothing is stale
    /// Replaces the estimate of how many blocks are resident at once. Called by Catalog::select() only, in its thread.
    OccupancyQuery occupancy = nullptr;
};

/// Picks a configuration for any n of one problem on one device. Catalog::select() makes it.
///
/// A selector is immutable: any number of threads may call its const members at once, while the catalog is reloaded,
/// too. It keeps answering from the results that the catalog held when it was made. Copies share their content.
class REDTUNE_EXPORT Selector {
  public:
    /// Returns the best configuration for n elements that is legal on the device and within the options; empty if there
    /// is none, and why_not() says why. The call takes no lock and allocates nothing.
    /// @param n for rows, a multiple of the problem's row length
    std::optional<Match> find(std::uint64_t n) const noexcept;

    /// Returns why find(n) is empty: what each limit and option ruled out, one sentence per line. Empty if find(n) is
    /// not. This call allocates.
    std::string why_not(std::uint64_t n) const;

    /// The content of a selector; for internal use.
    struct Content;
    /// Returns the content; for internal use.
    const Content& content() const noexcept { return *content_; }

  private:
    friend class Catalog;
    explicit Selector(std::shared_ptr<const Content> content);
    std::shared_ptr<const Content> content_;
};

}  // namespace redtune
