#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Element types. The name in print is the enumerator's ("f32").
enum class Type : std::uint8_t { i32, f32 };

/// Where the input is when a call starts. cold: in device memory only; warm: in the L2 cache.
enum class Regime : std::uint8_t { cold, warm };

/// any: the result may differ in rounding between two calls. run_to_run: the same input, n, alignment
/// and configuration give the same bits at every call on one device.
enum class Determinism : std::uint8_t { any, run_to_run };

/// What is reduced. Two problems are the same when all members are equal.
struct Problem {
    std::string op = "sum";                      ///< operator by name: "sum"
    Type input = Type::f32;                      ///< type of the array
    Type accumulator = Type::f32;                ///< type that is added in
    Type output = Type::f32;                     ///< type of the one result
    std::string shape = "whole";                 ///< "whole": the whole array to one result
    Determinism determinism = Determinism::any;  ///< what the caller insists on

    friend bool operator==(const Problem&, const Problem&) = default;
};

std::string_view to_string(Type type) noexcept;
std::string_view to_string(Regime regime) noexcept;
std::string_view to_string(Determinism determinism) noexcept;

/// Size of one element in bytes.
std::uint32_t size_of(Type type) noexcept;

/// The names that parse_type and make_problem accept, in the order they are shown to people.
std::vector<std::string> type_names();
std::vector<std::string> operator_names();

/// @throws InputError with the allowed names.
Type parse_type(std::string_view name);
Regime parse_regime(std::string_view name);
Determinism parse_determinism(std::string_view name);

/// The problem that an operator and an input type stand for: 32-bit types accumulate and return their
/// own type; integers wrap as C++ unsigned arithmetic does.
/// @throws InputError for an unknown operator, with the allowed names.
Problem make_problem(std::string_view op, Type input);

}  // namespace redtune
