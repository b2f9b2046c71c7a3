#pragma once

#include <cstdint>
#include <vector>

#include "db/candidate_reader.h"
#include "db/space_table.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::db {

/// Returns every candidate of a family for a device, a problem, a size and a regime, in the order in which the family's
/// file lists the values.
///
/// The candidates are the cross product of the parameters' values, computed in an in-memory SQLite table. Derived
/// values and conditions are SQL expressions over this table. An expression may use the parameters, the derived values
/// before it, expression_names(), and in a family with a parameter `finish` also finish_values(). Left out are
/// candidates whose finish the device or the problem does not support, and candidates that need clusters or
/// programmatic dependent launches on a device without these.
///
/// If several configurations have the same kernel and the same grid at this size, one of them is kept: the
/// configuration with one block per tile, else the configuration with the fewest blocks per SM.
///
/// The result is empty if the device's compute capability is too low for the family, the family does not support the
/// problem's shape, or the family overwrites the input and the problem does not allow that.
/// @throws InputError "path:line: what is wrong" for an expression that is not valid SQL or a space that is too large.
std::vector<Candidate> candidates(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  std::uint64_t n, Regime regime = Regime::cold);

/// The candidates of a family for a device, a problem and a regime, at any size. Asking for a second size takes much
/// less time than candidates().
class CandidateSpace {
  public:
    /// The arguments must outlive the space.
    CandidateSpace(const Family& family, const DeviceInfo& device, const Problem& problem, Regime regime);
    CandidateSpace(const CandidateSpace&) = delete;  // reader_ refers to table_

    /// Returns what candidates() returns for n, and throws as it does.
    std::vector<Candidate> at(std::uint64_t n);

  private:
    const Family& family_;
    const DeviceInfo& device_;
    const Problem& problem_;
    SpaceTable table_;
    CandidateReader reader_;
};

}  // namespace redtune::db
