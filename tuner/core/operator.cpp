#include "tuner/core/operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/core/named.h"

namespace redtune {

namespace {

const std::vector<Operator>& operator_table() {
    using enum Rounding;
    using enum Combined;
    static const std::vector<Operator> operators = {
        {.name = "sum", .summary = "Sum", .rounding = signed_terms, .is_additive = true},
        {.name = "product", .summary = "Product", .rounding = Rounding::product},
        {.name = "min", .summary = "Smallest element", .types = TypeRule::extreme, .combined = ordered_value},
        {.name = "max", .summary = "Largest element", .types = TypeRule::extreme, .combined = ordered_value},
        {.name = "mean",
         .summary = "Sum over count",
         .types = TypeRule::mean,
         .rounding = signed_terms,
         .is_additive = true,
         .divides_by_count = true},
        {.name = "argmin",
         .summary = "Index of the smallest element, the lowest of equals",
         .types = TypeRule::index,
         .combined = value_and_index},
        {.name = "argmax",
         .summary = "Index of the largest element, the lowest of equals",
         .types = TypeRule::index,
         .combined = value_and_index},
        {.name = "sum_of_squares", .summary = "Sum of squares", .rounding = positive_terms, .is_additive = true},
        {.name = "l1_norm", .summary = "Sum of magnitudes", .rounding = positive_terms, .is_additive = true},
        {.name = "l2_norm",
         .summary = "Square root of the sum of squares",
         .types = TypeRule::l2_norm,
         .rounding = positive_terms,
         .is_additive = true,
         .takes_square_root = true},
        {.name = "any", .summary = "1 if some element is not zero", .types = TypeRule::truth},
        {.name = "all", .summary = "1 if no element is zero", .types = TypeRule::truth},
        {.name = "bit_and", .summary = "Bitwise and", .types = TypeRule::bits},
        {.name = "bit_or", .summary = "Bitwise or", .types = TypeRule::bits},
        {.name = "bit_xor", .summary = "Bitwise exclusive or", .types = TypeRule::bits},
        {.name = "dot",
         .summary = "Sum of products of two arrays' elements",
         .rounding = signed_terms,
         .arrays = 2,
         .is_additive = true},
    };
    return operators;
}

/// Returns the type itself if it has 32 bits or more; else the 32-bit type of the same kind.
Type at_least_32_bits(Type type) {
    switch (type) {
        case Type::i8:
        case Type::i16:
            return Type::i32;
        case Type::u8:
        case Type::u16:
            return Type::u32;
        case Type::f16:
        case Type::bf16:
            return Type::f32;
        default:
            return type;
    }
}

/// Returns the types of the same kind that are at least as wide as `type` and have at least 32 bits, narrow types
/// first.
std::vector<Type> wider(Type type) {
    const Type first = at_least_32_bits(type);
    switch (first) {
        case Type::i32:
            return {Type::i32, Type::i64};
        case Type::u32:
            return {Type::u32, Type::u64};
        case Type::f32:
            return {Type::f32, Type::f64};
        default:
            return {first};
    }
}

void add(std::vector<ResultTypes>& list, Type accumulator, std::initializer_list<Type> outputs) {
    for (const Type output : outputs) {
        const ResultTypes types{accumulator, output};
        if (std::find(list.begin(), list.end(), types) == list.end()) list.push_back(types);
    }
}

std::vector<ResultTypes> types_of(TypeRule rule, Type input) {
    const Type base = at_least_32_bits(input);
    std::vector<ResultTypes> list;
    switch (rule) {
        case TypeRule::arithmetic:
            for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            if (!is_float(input)) add(list, Type::f64, {Type::f64});
            break;
        case TypeRule::mean:
            if (is_float(input)) {
                for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            } else {
                add(list, is_signed(input) ? Type::i64 : Type::u64, {Type::f64, Type::f32});
                add(list, Type::f64, {Type::f64, Type::f32});
            }
            break;
        case TypeRule::l2_norm:
            if (is_float(input)) {
                for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            } else {
                add(list, Type::f64, {Type::f64, Type::f32});
            }
            break;
        case TypeRule::extreme:
        case TypeRule::bits:
            if (rule == TypeRule::extreme || !is_float(input)) add(list, base, {input, base});
            break;
        case TypeRule::index:
            // i32 has all values of u8 and u16. With u32, the ordered key of 0 for a maximum would be that of the
            // identity, and the index of zeros would never be found.
            add(list, base == Type::u32 && input != Type::u32 ? Type::i32 : base, {Type::u64, Type::i64});
            break;
        case TypeRule::truth:
            add(list, Type::u32, {Type::u8, Type::u32});
            break;
    }
    return list;
}

}  // namespace

std::span<const Operator> operators() {
    return operator_table();
}

const Operator* find_operator(std::string_view name) noexcept {
    const auto found = std::find_if(operator_table().begin(), operator_table().end(),
                                    [&](const Operator& op) { return op.name == name; });
    return found != operator_table().end() ? &*found : nullptr;
}

bool is_float(Type type) noexcept {
    return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}

bool is_signed(Type type) noexcept {
    return is_float(type) || type == Type::i8 || type == Type::i16 || type == Type::i32 || type == Type::i64;
}

Rounding rounding_of(const Problem& problem) noexcept {
    if (!is_float(problem.accumulator)) return Rounding::none;
    const Operator* op = find_operator(problem.op);
    return op != nullptr ? op->rounding : Rounding::signed_terms;
}

bool adds(const Problem& problem) noexcept {
    const Operator* op = find_operator(problem.op);
    return op != nullptr && op->is_additive;
}

std::string device_name_of_operator(std::string_view op) {
    std::string name;
    bool upper = true;
    for (const char c : op) {
        if (c == '_') {
            upper = true;
        } else {
            name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            upper = false;
        }
    }
    return name;
}

Problem reference_problem(const Problem& problem) {
    Problem reference = problem;
    if (rounding_of(problem) != Rounding::none) reference.accumulator = reference.output = Type::f64;
    return reference;
}

std::uint32_t accumulator_bytes(const Problem& problem) noexcept {
    constexpr std::uint32_t value_and_index = 16;
    const Operator* op = find_operator(problem.op);
    return op != nullptr && op->combined == Combined::value_and_index ? value_and_index : size_of(problem.accumulator);
}

std::vector<std::string> operator_names() {
    std::vector<std::string> names;
    for (const Operator& op : operator_table()) names.push_back(op.name);
    return names;
}

std::vector<ResultTypes> result_types(std::string_view op, Type input) {
    const Operator* known = find_operator(op);
    if (known == nullptr) throw InputError(unknown_name("operator", op, operator_names()));
    return types_of(known->types, input);
}

Problem make_problem(std::string_view op, Type input, std::optional<Type> accumulator, std::optional<Type> output) {
    const std::vector<ResultTypes> allowed = result_types(op, input);
    const auto is_meant = [&](const ResultTypes& types) {
        return types.accumulator == accumulator.value_or(types.accumulator) &&
               types.output == output.value_or(types.output);
    };
    const auto types = std::find_if(allowed.begin(), allowed.end(), is_meant);
    if (types == allowed.end()) {
        std::vector<std::string> texts;
        for (const ResultTypes& each : allowed) {
            texts.push_back(fmt::format("{} to {}", to_string(each.accumulator), to_string(each.output)));
        }
        if (texts.empty()) {
            for (const std::string& name : type_names()) {
                if (!result_types(op, parse_type(name)).empty()) texts.push_back(name);
            }
            throw InputError(
                fmt::format("{} makes no sense of {}; allowed are {}", op, to_string(input), fmt::join(texts, ", ")));
        }
        throw InputError(fmt::format("{} of {} cannot accumulate in {} and return {}; allowed are {}", op,
                                     to_string(input), accumulator ? to_string(*accumulator) : "its default",
                                     output ? to_string(*output) : "its default", fmt::join(texts, ", ")));
    }
    Problem problem;
    problem.op = op;
    problem.input = input;
    problem.accumulator = types->accumulator;
    problem.output = types->output;
    problem.arrays = find_operator(op)->arrays;
    return problem;
}

}  // namespace redtune
