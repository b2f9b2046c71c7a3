#pragma once

#include <string>
#include <vector>

#include "tuner/emit/emission.h"

namespace redtune::emit {

/// Returns the comment with which an emitted file begins: what the code is, how it is called, the rules of the
/// workspace, and where the configurations come from. It has no date but those of the measurements, so that the same
/// command on the same database gives the same bytes.
/// @param calling lines that show how the code is called
std::string opening_comment(const Emission& emission, const std::vector<std::string>& calling);

}  // namespace redtune::emit
