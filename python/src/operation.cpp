#include "python/src/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "redtune/error.h"
#include "tuner/core/operator.h"

namespace redtune::python {

namespace {

ElementType default_result(ResultRule rule, ElementType input) {
    const bool is_real = is_float(input.type);
    switch (rule) {
        case ResultRule::sum:
            if (is_real) return input;
            return {input.is_bool || is_signed(input.type) ? Type::i64 : Type::u64, false};
        case ResultRule::real:
            return is_real ? input : ElementType{Type::f64, false};
        case ResultRule::index:
            return {Type::i64, false};
        case ResultRule::truth:
            return {Type::u8, true};
        case ResultRule::same:
            break;
    }
    return input;
}

/// Returns the type of the same width whose sign is that of `like`, if both are integers: results of both types have
/// the same bits.
Type with_sign_of(Type type, Type like) {
    if (is_float(type) || is_float(like)) return type;
    switch (type) {
        case Type::i32:
        case Type::u32:
            return is_signed(like) ? Type::i32 : Type::u32;
        case Type::i64:
        case Type::u64:
            return is_signed(like) ? Type::i64 : Type::u64;
        default:
            return type;
    }
}

[[noreturn]] void refuse(const Operation& operation, ElementType input, ElementType wanted,
                         const std::vector<ResultTypes>& allowed) {
    std::string names;
    for (const ResultTypes& types : allowed) {
        const std::string name(name_of({types.output, false}));
        if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
    }
    if (names.empty()) throw InputError(fmt::format("{} takes no {} array", operation.name, name_of(input)));
    throw InputError(fmt::format("{} of a {} array cannot be {}; allowed is dtype = {}", operation.name, name_of(input),
                                 name_of(wanted), names));
}

}  // namespace

Problem problem_of(const Operation& operation, ElementType input, std::optional<ElementType> dtype,
                   ElementType& result) {
    result = dtype.value_or(default_result(operation.rule, input));
    const std::vector<ResultTypes> allowed = result_types(operation.op, input.type);
    // min, max, any and all keep or return bool as its byte; every other result is a number.
    const bool may_be_bool = operation.rule == ResultRule::truth || (operation.rule == ResultRule::same && !dtype);
    const bool is_pair_of_bools = input.is_bool && operation.op == "dot";
    if ((result.is_bool && !may_be_bool) || is_pair_of_bools) {
        refuse(operation, input, result, is_pair_of_bools ? std::vector<ResultTypes>{} : allowed);
    }
    const Type output = operation.rule == ResultRule::sum ? with_sign_of(result.type, input.type) : result.type;
    for (const ResultTypes& types : allowed) {
        if (types.output == output) return make_problem(operation.op, input.type, types.accumulator, output);
    }
    refuse(operation, input, result, allowed);
}

bool returns_single_elements(const Operation& operation, ElementType input, ElementType result) {
    constexpr std::array<std::string_view, 5> names = {"sum", "prod", "mean", "min", "max"};
    return input == result && std::ranges::find(names, operation.name) != names.end();
}

}  // namespace redtune::python
