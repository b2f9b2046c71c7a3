#pragma once

#include <cstdint>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::db {

/// Every candidate of a family for a device, a problem, a size and a regime, in the order of the family's parameters.
///
/// The parameter lists are crossed in an in-memory SQLite table; derived values and conditions are SQL expressions
/// over it. Beside the parameters and the derived values before them, expressions may use: n (elements of
/// an array), row_length, rows, arrays, input_bytes, accumulator_bytes, output_bytes (of one element), exact (1: the
/// order of combination does not show), accumulator_is_input (1: an accumulator fits where an element was),
/// adds (1: the operator's combine() is addition), back_to_back (1: in the stream regime),
/// sm_count, l2_bytes, warp_size, max_threads_per_sm, max_shared_per_block (bytes), compute_capability (major x 10 +
/// minor).
///
/// Of configurations that compile to the same kernel and launch the same grid at this size, one is kept: the one
/// with one block per tile, else the fewest blocks per SM.
///
/// Empty where the device is below the family's compute capability, the problem's shape is not the family's, or the
/// family overwrites the input and the problem does not allow it.
/// @throws InputError "path:line: what is wrong" for an expression that SQLite refuses or a space that is too large.
std::vector<Candidate> candidates(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  std::uint64_t n, Regime regime = Regime::cold);

}  // namespace redtune::db
