#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune::timing {

/// The kinds of data that timed inputs can have. kernels_src/data_kinds.cuh has the same enumerators in the same order,
/// and makes the values.
enum class DataKind : std::uint8_t {
    uniform,
    normal,
    lognormal,
    outlier,
    cancelling,
    sparse,
    wide_exponents,
    subnormal,
    ascending,
    descending,
    constant,
    gradients,
    probabilities,
    counts,
    alternating,
    zeros
};

/// The assumption on the signs of a sum's terms from which the bound on its rounding error is derived
/// (data_tolerance()).
enum class TermSigns : std::uint8_t {
    independent,  ///< random signs, independent of each other
    arbitrary,    ///< random values, whose signs may all be equal
    structured    ///< values that follow a pattern, so that their rounding errors may all have the same sign
};

/// A row of the table of kinds.
struct DataKindTraits {
    DataKind kind = DataKind::uniform;
    TermSigns signs = TermSigns::independent;
    bool is_for_integers = false;
    bool is_for_factors = false;  ///< a product of such elements neither overflows nor vanishes
    std::string_view summary;
};

/// Returns the table of kinds, uniform first.
std::span<const DataKindTraits> data_kinds();
const DataKindTraits& traits_of(DataKind kind);

std::string_view to_string(DataKind kind) noexcept;
/// Returns the kind with this name.
/// @throws InputError that lists all names, with the nearest one
DataKind parse_data_kind(std::string_view name);

/// Returns the kinds that inputs of the problem can have: integers have no kinds with fractions, unsigned integers do
/// not alternate, and products have only kinds whose product neither overflows nor vanishes, and zeros.
std::vector<DataKind> data_kinds_of(const Problem& problem);

/// Returns the kinds on which a problem is tuned unless the user names others: uniform alone, except for sums of f32
/// accumulators, which the finish `packed` adds in bins of exponents, and for argmin and argmax, whose kernels search
/// for the index of the extreme element after its value.
std::vector<DataKind> default_data_kinds(const Problem& problem);

}  // namespace redtune::timing
