#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/core/family.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// Returns the catalog of a user's database and the shipped ones, for SweepRequest::catalog; nullopt if a file cannot
/// be read.
/// @param report is told why it cannot be read; empty: nobody is
std::optional<Catalog> open_catalog(const std::filesystem::path& database,
                                    const std::function<void(const DatabaseError&)>& report = {});

/// Tells with which trials to begin a search, because look-ups pick them: winners of near sizes, of similar problems
/// and of other devices (MatchKind), or those of a rule of thumb. Only the thread that has the sweep's turn may use it.
class Suggestions {
  public:
    /// @param catalog what look-ups know; null: nothing. It must outlive the object.
    Suggestions(const Catalog* catalog, Problem problem, DeviceInfo device)
        : catalog_(catalog), problem_(std::move(problem)), device_(std::move(device)) {}

    /// Returns the indexes of those trials of a cell that look-ups pick for its size, and for half, twice, a quarter
    /// and four times its size, the nearest first. Winners that cannot be read suggest nothing.
    /// @param families those of the trials
    std::vector<std::size_t> of(const Cell& cell, std::span<const Family> families) const;

  private:
    const Selector* selector_of(Regime regime) const;

    const Catalog* catalog_;
    Problem problem_;
    DeviceInfo device_;
    mutable std::map<Regime, Selector> selectors_;
};

}  // namespace redtune::search
