#include "tuner/timing/data_kind.h"

#include <algorithm>
#include <array>

#include "tuner/core/named.h"
#include "tuner/core/operator.h"

namespace redtune::timing {

namespace {

constexpr std::array kinds = {Named<DataKind>{"uniform", DataKind::uniform},
                              Named<DataKind>{"normal", DataKind::normal},
                              Named<DataKind>{"lognormal", DataKind::lognormal},
                              Named<DataKind>{"outlier", DataKind::outlier},
                              Named<DataKind>{"cancelling", DataKind::cancelling},
                              Named<DataKind>{"sparse", DataKind::sparse},
                              Named<DataKind>{"wide_exponents", DataKind::wide_exponents},
                              Named<DataKind>{"subnormal", DataKind::subnormal},
                              Named<DataKind>{"ascending", DataKind::ascending},
                              Named<DataKind>{"descending", DataKind::descending},
                              Named<DataKind>{"constant", DataKind::constant},
                              Named<DataKind>{"gradients", DataKind::gradients},
                              Named<DataKind>{"probabilities", DataKind::probabilities},
                              Named<DataKind>{"counts", DataKind::counts},
                              Named<DataKind>{"alternating", DataKind::alternating},
                              Named<DataKind>{"zeros", DataKind::zeros}};

using enum TermSigns;
constexpr bool integers = true;
constexpr bool factors = true;

// In the order of the enumerators.
constexpr std::array table = {
    DataKindTraits{DataKind::uniform, independent, integers, factors,
                   "uniform in [-1, 1); integers over their whole range; near 1 for products"},
    DataKindTraits{DataKind::normal, independent, !integers, !factors, "normal, mean 0, standard deviation 1"},
    DataKindTraits{DataKind::lognormal, arbitrary, !integers, !factors, "lognormal, sigma 4: positive, heavy-tailed"},
    DataKindTraits{DataKind::outlier, independent, integers, factors,
                   "uniform, and one element of 1e30 in each result (f16: 1e4; squared: 1e15; integers: the largest)"},
    DataKindTraits{DataKind::cancelling, independent, !integers, !factors,
                   "x in the first half, -x with a small residue in the second"},
    DataKindTraits{DataKind::sparse, independent, integers, !factors, "99 % zeros, the others uniform"},
    DataKindTraits{DataKind::wide_exponents, independent, !integers, !factors,
                   "random signs, exponents over most of the type's range"},
    DataKindTraits{DataKind::subnormal, independent, !integers, !factors, "subnormal numbers of both signs"},
    DataKindTraits{DataKind::ascending, structured, integers, !factors, "sorted, the lowest first"},
    DataKindTraits{DataKind::descending, structured, integers, !factors, "sorted, the highest first"},
    DataKindTraits{DataKind::constant, structured, integers, factors,
                   "all elements equal: 0.7; integers 7; products 1"},
    DataKindTraits{DataKind::gradients, independent, !integers, !factors,
                   "zero mean, heavy-tailed, scale 1e-4, as gradients have"},
    DataKindTraits{DataKind::probabilities, arbitrary, !integers, !factors,
                   "positive, with a sum near 1, as a softmax returns"},
    DataKindTraits{DataKind::counts, structured, integers, !factors, "small whole numbers, not negative"},
    DataKindTraits{DataKind::alternating, arbitrary, integers, factors, "signs alternate, magnitudes in [0.5, 1)"},
    DataKindTraits{DataKind::zeros, structured, integers, factors, "all elements zero"}};

static_assert(table.size() == kinds.size());
static_assert(std::ranges::equal(table, kinds, {}, &DataKindTraits::kind, &Named<DataKind>::value));

}  // namespace

std::span<const DataKindTraits> data_kinds() {
    return table;
}

const DataKindTraits& traits_of(DataKind kind) {
    return table[static_cast<std::size_t>(kind)];
}

std::string_view to_string(DataKind kind) noexcept {
    return name_of(kinds, kind);
}

DataKind parse_data_kind(std::string_view name) {
    return parse_named(kinds, "kind of data", name);
}

std::vector<DataKind> data_kinds_of(const Problem& problem) {
    const Operator* op = find_operator(problem.op);
    const bool multiplies = op != nullptr && op->rounding == Rounding::product;
    std::vector<DataKind> possible;
    for (const DataKindTraits& each : table) {
        if (!is_float(problem.input) && !each.is_for_integers) continue;
        if (!is_signed(problem.input) && each.kind == DataKind::alternating) continue;
        if (multiplies && !each.is_for_factors) continue;
        possible.push_back(each.kind);
    }
    return possible;
}

std::vector<DataKind> default_data_kinds(const Problem& problem) {
    const Operator* op = find_operator(problem.op);
    if (op == nullptr) return {DataKind::uniform};
    if (op->is_additive && problem.accumulator == Type::f32) return {DataKind::uniform, DataKind::outlier};
    if (op->combined == Combined::value_and_index) return {DataKind::uniform, DataKind::ascending};
    return {DataKind::uniform};
}

}  // namespace redtune::timing
