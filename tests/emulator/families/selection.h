// Which kernels of which families are run for which problems. The same for the program that writes their list and for
// the test that runs them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/configuration.h"
#include "tuner/core/family.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emulated {

/// proof: what shows whether a family synchronises right. sample: every family with every operator, and with every
/// type. full: every family with every operator and type, several configurations of each.
enum class Extent { proof, sample, full };

Extent parse_extent(std::string_view name);

/// The families redtune comes with, and the example of a user's own. The working directory is the repository's root.
std::vector<Family> emulated_families();

struct Case {
    const Family* family = nullptr;
    Problem problem;
    Candidate candidate;
};

/// Of one family, in a fixed order. The family must outlive them.
std::vector<Case> select_cases(const Family& family, Extent extent);

/// "argmin of f16, rows:32: segment_shared(block=64, lanes=8)"
std::string name_of(const Case& entry);

/// Sizes to run a case at, elements: nothing, one, around a tile or a block's rows, several blocks.
std::vector<std::uint64_t> sizes_of(const Case& entry);

}  // namespace redtune::emulated
