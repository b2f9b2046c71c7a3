#include "redtune/problem.h"

#include <fmt/format.h>

#include "tuner/core/named.h"
#include "tuner/core/size_list.h"

namespace redtune {

namespace {

constexpr std::array types = {
    Named<Type>{"i8", Type::i8},     Named<Type>{"u8", Type::u8},   Named<Type>{"i16", Type::i16},
    Named<Type>{"u16", Type::u16},   Named<Type>{"i32", Type::i32}, Named<Type>{"u32", Type::u32},
    Named<Type>{"i64", Type::i64},   Named<Type>{"u64", Type::u64}, Named<Type>{"f16", Type::f16},
    Named<Type>{"bf16", Type::bf16}, Named<Type>{"f32", Type::f32}, Named<Type>{"f64", Type::f64}};
constexpr std::array regimes = {Named<Regime>{"cold", Regime::cold}, Named<Regime>{"warm", Regime::warm},
                                Named<Regime>{"back_to_back", Regime::back_to_back}};
constexpr std::array determinisms = {Named<Determinism>{"any", Determinism::any},
                                     Named<Determinism>{"run_to_run", Determinism::run_to_run}};
constexpr std::array shape_kinds = {Named<ShapeKind>{"whole", ShapeKind::whole},
                                    Named<ShapeKind>{"rows", ShapeKind::rows},
                                    Named<ShapeKind>{"columns", ShapeKind::columns}};
constexpr std::string_view whole = "whole";
constexpr std::string_view rows = "rows:";
constexpr std::string_view columns = "columns:";

}  // namespace

std::string_view to_string(Type type) noexcept {
    return name_of(types, type);
}
std::string_view to_string(Regime regime) noexcept {
    return name_of(regimes, regime);
}
std::string_view to_string(Determinism determinism) noexcept {
    return name_of(determinisms, determinism);
}

std::string_view to_string(ShapeKind kind) noexcept {
    return name_of(shape_kinds, kind);
}

std::string shape_name(const Problem& problem) {
    const Shape shape = shape_of(problem);
    if (shape.kind() == ShapeKind::whole) return std::string(whole);
    return fmt::format("{}{}", shape.kind() == ShapeKind::rows ? rows : columns, shape.unit());
}

Shape shape_of(const Problem& problem) noexcept {
    return {problem.row_length, problem.columns};
}

Problem with_shape(Problem problem, const Shape& shape) {
    problem.row_length = shape.row_length;
    problem.columns = shape.columns;
    return problem;
}

Extents extents_of(const Shape& shape, std::uint64_t n) noexcept {
    if (shape.columns != 0) return {1, n / shape.columns, shape.columns};
    if (shape.row_length != 0) return {n / shape.row_length, shape.row_length, 1};
    return {1, n, 1};
}

Extents extents_of(const Problem& problem, std::uint64_t n) noexcept {
    return extents_of(shape_of(problem), n);
}

std::uint32_t size_of(Type type) noexcept {
    switch (type) {
        case Type::i8:
        case Type::u8:
            return 1;
        case Type::i16:
        case Type::u16:
        case Type::f16:
        case Type::bf16:
            return 2;
        case Type::i32:
        case Type::u32:
        case Type::f32:
            return 4;
        case Type::i64:
        case Type::u64:
        case Type::f64:
            return 8;
    }
    return 0;
}

std::uint64_t bytes_read(const Problem& problem, std::uint64_t n) noexcept {
    return n * size_of(problem.input) * problem.arrays;
}

std::uint64_t result_count(const Problem& problem, std::uint64_t n) noexcept {
    return extents_of(problem, n).results();
}

std::vector<std::string> type_names() {
    return names_of(types);
}

Type parse_type(std::string_view name) {
    return parse_named(types, "type", name);
}
Regime parse_regime(std::string_view name) {
    return parse_named(regimes, "regime", name);
}
Determinism parse_determinism(std::string_view name) {
    return parse_named(determinisms, "determinism", name);
}

Shape parse_shape(std::string_view text) {
    if (text == whole) return {};
    if (text.starts_with(rows)) {
        const std::uint64_t length = parse_size(text.substr(rows.size()));
        if (length >= 2) return {.row_length = length};
    }
    if (text.starts_with(columns)) {
        const std::uint64_t count = parse_size(text.substr(columns.size()));
        if (count >= 1) return {.columns = count};
    }
    throw InputError(
        fmt::format("'{}' is not a shape; allowed are 'whole', 'rows:LENGTH' with rows of 2 elements or "
                    "more (rows:32) and 'columns:COUNT' with 1 column or more (columns:64)",
                    text));
}

}  // namespace redtune
