// The selection of kernels and problems that run in the emulator, shared by the program that instantiates the kernels
// and the test that runs them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/trial.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emulated {

/// The extent of the selection. proof: kernels that show whether a family synchronises correctly. sample: every family
/// with every operator and with every type. full: every family with every combination of operator and type, in several
/// configurations. counted: kernels that load the number of elements from device memory, for every family that reduces
/// whole arrays.
enum class Extent { proof, sample, full, counted };

Extent parse_extent(std::string_view name);

/// Returns the shipped families and the example of a user's family. The working directory must be the repository's
/// root.
std::vector<Family> emulated_families();

/// One kernel configuration of a family with the problem that it solves.
struct Case {
    const Family* family = nullptr;
    Problem problem;
    Candidate candidate;
};

/// Returns the cases of one family in a fixed order. The family must outlive the cases.
std::vector<Case> select_cases(const Family& family, Extent extent);

/// Returns where the kernels of an extent find the number of elements.
inline launch::CountPlace count_place(Extent extent) {
    return extent == Extent::counted ? launch::CountPlace::device_memory : launch::CountPlace::arguments;
}

/// Returns text such as "argmin of f16, rows:32: segment_shared(block=64, lanes=8)".
std::string name_of(const Case& entry);

/// Returns the sizes at which a case of an extent runs: 0, 1, sizes around one tile or the rows of one block, and sizes
/// of several blocks; of columns also several matrices.
std::vector<Extents> sizes_of(const Case& entry, Extent extent);

}  // namespace redtune::emulated
