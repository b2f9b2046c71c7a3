#include "redtune/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "redtune/error.h"

namespace redtune {

namespace {

template <class Enum>
struct Named {
    std::string_view name;
    Enum value;
};

constexpr std::array types = {Named<Type>{"i32", Type::i32}, Named<Type>{"f32", Type::f32}};
constexpr std::array regimes = {Named<Regime>{"cold", Regime::cold}, Named<Regime>{"warm", Regime::warm}};
constexpr std::array determinisms = {Named<Determinism>{"any", Determinism::any},
                                     Named<Determinism>{"run_to_run", Determinism::run_to_run}};
constexpr std::array<std::string_view, 1> operators = {"sum"};

template <class Table, class Enum>
std::string_view name_of(const Table& table, Enum value) noexcept {
    for (const auto& entry : table) {
        if (entry.value == value) return entry.name;
    }
    return "unknown";
}

template <class Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& entry : table) names.emplace_back(entry.name);
    return names;
}

template <class Table>
auto parse(const Table& table, std::string_view what, std::string_view name) {
    for (const auto& entry : table) {
        if (entry.name == name) return entry.value;
    }
    throw InputError(fmt::format("there is no {} '{}'; allowed are {}", what, name, fmt::join(names_of(table), ", ")));
}

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

std::uint32_t size_of(Type type) noexcept {
    switch (type) {
        case Type::i32:
        case Type::f32:
            return 4;
    }
    return 0;
}

std::vector<std::string> type_names() {
    return names_of(types);
}
std::vector<std::string> operator_names() {
    return {operators.begin(), operators.end()};
}

Type parse_type(std::string_view name) {
    return parse(types, "type", name);
}
Regime parse_regime(std::string_view name) {
    return parse(regimes, "regime", name);
}
Determinism parse_determinism(std::string_view name) {
    return parse(determinisms, "determinism", name);
}

Problem make_problem(std::string_view op, Type input) {
    if (std::find(operators.begin(), operators.end(), op) == operators.end()) {
        throw InputError(
            fmt::format("there is no operator '{}'; allowed are {}", op, fmt::join(operator_names(), ", ")));
    }
    Problem problem;
    problem.op = op;
    problem.input = problem.accumulator = problem.output = input;
    return problem;
}

}  // namespace redtune
