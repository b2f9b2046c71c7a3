#pragma once

#include <optional>

#include "db/space.h"
#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::db {

/// Returns the largest number of rows of `unit` elements (Shape::unit()) at which configurations are tried: 2^40, or
/// less if so many rows have more elements than 64 bits can count.
std::uint64_t most_rows(std::uint64_t unit);

/// One configuration of a family, as a candidate for any size. A parameter that the configuration does not have takes
/// its default value if it has one.
class SingleCandidate {
  public:
    /// `device` and `problem` must outlive the object.
    SingleCandidate(const Family& family, const DeviceInfo& device, const Problem& problem,
                    const Configuration& configuration, Regime regime);
    SingleCandidate(const SingleCandidate&) = delete;

    /// Returns the trial; nullopt if the configuration is no candidate for n. Unlike candidates(), this function also
    /// returns a trial that has the same kernel and grid as another candidate at this size.
    std::optional<Trial> at(std::uint64_t n);

    /// Returns the range of sizes around n for which the configuration is a candidate, up to 2^40 elements (rows, if
    /// the problem has rows). The configuration must be a candidate for n.
    ///
    /// The range is exact if the conditions of the family hold for one contiguous range of sizes, as those of all
    /// shipped families do.
    SizeRange range(std::uint64_t n);

  private:
    Family family_;
    std::uint64_t unit_;
    std::uint64_t most_units_;
    CandidateSpace space_;
};

/// Returns SingleCandidate::at(n).
std::optional<Trial> candidate_of(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  const Configuration& configuration, std::uint64_t n, Regime regime);

/// Returns SingleCandidate::range(n).
SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                          const Configuration& configuration, std::uint64_t n, Regime regime);

}  // namespace redtune::db
