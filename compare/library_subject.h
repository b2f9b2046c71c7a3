#pragma once

#include <cstdint>

#include "redtune/reducer.h"
#include "tuner/timing/subject.h"

namespace redtune::compare {

/// Returns calls of Reducer::reduce() for n elements as a subject, with a workspace of the caller and the kernels
/// loaded. The reducer must outlive the subject.
timing::Subject library_subject(Reducer& reducer, std::uint64_t n);

}  // namespace redtune::compare
