#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// The standing of a trial in the search: its median in microseconds, or one of these constants.
inline constexpr double unscreened = 0;
inline constexpr double failed_or_pruned = -1;

/// The trials of a cell as points of the parameter space.
///
/// Neighbours belong to the same family. They differ in one parameter and have the nearest values of it that exist in
/// trials, or they differ in two parameters: one of them has the next higher value in the list of its values, the other
/// the next lower one. Such a pair of steps often keeps a product constant, for example block x unroll and thus the
/// bytes in flight.
class Neighbourhood {
  public:
    /// The position of a trial: for each parameter, the index of its value in the family's list of values.
    using Coordinates = std::vector<std::ptrdiff_t>;

    /// @param families those of the trials
    /// @param trials must outlive the object
    Neighbourhood(const std::vector<Family>& families, std::span<const Trial> trials);

    std::span<const Trial> trials() const { return trials_; }
    const Coordinates& coordinates(std::size_t trial) const { return coordinates_[trial]; }

    /// Returns the neighbours of a trial, whether they have been screened or not.
    std::vector<std::size_t> of(std::size_t trial) const;

  private:
    std::span<const Trial> trials_;
    std::vector<Coordinates> coordinates_;  ///< of each trial
};

/// The best trial of a family joins the beam if its time is within this factor of the cell's best time.
inline constexpr double family_within = 1.2;

/// Returns the trials that have not been screened and are neighbours of the beam: the best `beam` trials, and the best
/// trial of each family that is nearly as good.
/// @param standings for each trial, its median in us, `unscreened` or `failed_or_pruned`
std::vector<std::size_t> neighbours_of_best(const Neighbourhood& neighbourhood, std::span<const double> standings,
                                            std::size_t beam);

}  // namespace redtune::search
