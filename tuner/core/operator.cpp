#include "tuner/core/operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "redtune/error.h"

namespace redtune {

namespace {

/// Rules for accumulator and output type.
enum class Kind : std::uint8_t { arithmetic, mean, l2_norm, order, place, truth, bits };

struct Known {
    Operator info;
    Kind kind;
};

const std::array<Known, 16>& table() {
    static const std::array<Known, 16> known = {{
        {{"sum", "Sum", 1, false, Rounding::signed_terms}, Kind::arithmetic},
        {{"product", "Product", 1, false, Rounding::product}, Kind::arithmetic},
        {{"min", "Smallest element", 1, false, Rounding::none}, Kind::order},
        {{"max", "Largest element", 1, false, Rounding::none}, Kind::order},
        {{"mean", "Sum over count", 1, false, Rounding::signed_terms}, Kind::mean},
        {{"argmin", "Index of the smallest element, the lowest of equals", 1, true, Rounding::none}, Kind::place},
        {{"argmax", "Index of the largest element, the lowest of equals", 1, true, Rounding::none}, Kind::place},
        {{"sum_of_squares", "Sum of squares", 1, false, Rounding::positive_terms}, Kind::arithmetic},
        {{"l1_norm", "Sum of magnitudes", 1, false, Rounding::positive_terms}, Kind::arithmetic},
        {{"l2_norm", "Square root of the sum of squares", 1, false, Rounding::positive_terms}, Kind::l2_norm},
        {{"any", "1 if some element is not zero", 1, false, Rounding::none}, Kind::truth},
        {{"all", "1 if no element is zero", 1, false, Rounding::none}, Kind::truth},
        {{"bit_and", "Bitwise and", 1, false, Rounding::none}, Kind::bits},
        {{"bit_or", "Bitwise or", 1, false, Rounding::none}, Kind::bits},
        {{"bit_xor", "Bitwise exclusive or", 1, false, Rounding::none}, Kind::bits},
        {{"dot", "Sum of products of two arrays' elements", 2, false, Rounding::signed_terms}, Kind::arithmetic},
    }};
    return known;
}

const Known* find_known(std::string_view name) noexcept {
    const auto found =
        std::find_if(table().begin(), table().end(), [&](const Known& known) { return known.info.name == name; });
    return found != table().end() ? &*found : nullptr;
}

/// The type itself, or its 32-bit relative where it is smaller.
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

/// Types of the same kind that are as wide or wider.
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

std::vector<ResultTypes> types_of(Kind kind, Type input) {
    const Type base = at_least_32_bits(input);
    std::vector<ResultTypes> list;
    switch (kind) {
        case Kind::arithmetic:
            for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            if (!is_float(input)) add(list, Type::f64, {Type::f64});
            break;
        case Kind::mean:
            if (is_float(input)) {
                for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            } else {
                add(list, is_signed(input) ? Type::i64 : Type::u64, {Type::f64, Type::f32});
                add(list, Type::f64, {Type::f64, Type::f32});
            }
            break;
        case Kind::l2_norm:
            if (is_float(input)) {
                for (const Type accumulator : wider(input)) add(list, accumulator, {accumulator, input});
            } else {
                add(list, Type::f64, {Type::f64, Type::f32});
            }
            break;
        case Kind::order:
        case Kind::bits:
            if (kind == Kind::order || !is_float(input)) add(list, base, {input, base});
            break;
        case Kind::place:
            add(list, base, {Type::u64, Type::i64});
            break;
        case Kind::truth:
            add(list, Type::u32, {Type::u8, Type::u32});
            break;
    }
    return list;
}

}  // namespace

std::span<const Operator> operators() {
    static const std::vector<Operator> list = [] {
        std::vector<Operator> infos;
        for (const Known& known : table()) infos.push_back(known.info);
        return infos;
    }();
    return list;
}

const Operator* find_operator(std::string_view name) noexcept {
    const Known* known = find_known(name);
    return known != nullptr ? &known->info : nullptr;
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
    const Known* known = find_known(problem.op);
    if (known == nullptr) return false;
    return (known->kind == Kind::arithmetic && known->info.rounding != Rounding::product) ||
           known->kind == Kind::mean || known->kind == Kind::l2_norm;
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
    return op != nullptr && op->is_indexed ? value_and_index : size_of(problem.accumulator);
}

std::vector<std::string> operator_names() {
    std::vector<std::string> names;
    for (const Known& known : table()) names.push_back(known.info.name);
    return names;
}

std::vector<ResultTypes> result_types(std::string_view op, Type input) {
    const Known* known = find_known(op);
    if (known == nullptr) {
        throw InputError(
            fmt::format("there is no operator '{}'; allowed are {}", op, fmt::join(operator_names(), ", ")));
    }
    return types_of(known->kind, input);
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
    problem.arrays = find_known(op)->info.arrays;
    return problem;
}

}  // namespace redtune
