#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Element types: signed and unsigned integers, IEEE floats, bfloat16. The name in print is the enumerator's ("f32").
enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// Where the input is when a call starts, and what precedes the call. cold: the input is in device memory only. warm:
/// it is in the L2 cache. back_to_back: it is in device memory only, and the call is launched while the previous call
/// in the same CUDA stream may still run.
enum class Regime : std::uint8_t { cold, warm, back_to_back };

/// any: the result may differ in rounding between two calls. run_to_run: the same input, n, alignment
/// and configuration give the same bits at every call on one device.
enum class Determinism : std::uint8_t { any, run_to_run };

/// What is reduced. Two problems are the same when all members are equal.
struct Problem {
    std::string op = "sum";        ///< operator by name: "sum"
    Type input = Type::f32;        ///< type of the array's elements
    Type accumulator = Type::f32;  ///< type that is combined; argmin and argmax carry an index beside it
    Type output = Type::f32;       ///< type of a result
    std::uint32_t arrays = 1;      ///< arrays of n elements that are read: 2 for "dot"
    std::uint64_t row_length = 0;  ///< 0: the whole array to one result; else every row of so many elements
    Determinism determinism = Determinism::any;  ///< what the caller insists on
    bool destructive = false;                    ///< true: the call may overwrite its input

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// An accumulator and an output type that an operator can have for an input type.
struct ResultTypes {
    Type accumulator = Type::f32;
    Type output = Type::f32;

    friend bool operator==(const ResultTypes&, const ResultTypes&) = default;
};

std::string_view to_string(Type type) noexcept;
std::string_view to_string(Regime regime) noexcept;
std::string_view to_string(Determinism determinism) noexcept;

/// "whole", or "rows:32".
std::string shape_name(const Problem& problem);

/// Size of one element in bytes.
std::uint32_t size_of(Type type) noexcept;
/// Size in bytes of what the problem combines: argmin and argmax combine pairs of 16 bytes.
std::uint32_t accumulator_bytes(const Problem& problem) noexcept;
/// Bytes of input that a call on n elements reads, all arrays together.
std::uint64_t bytes_read(const Problem& problem, std::uint64_t n) noexcept;
/// Results of a call on n elements: 1 for a whole array, else n / row_length.
std::uint64_t result_count(const Problem& problem, std::uint64_t n) noexcept;

/// The names that parse_type and make_problem accept, in the order they are shown to people.
std::vector<std::string> type_names();
std::vector<std::string> operator_names();

/// @throws InputError with the allowed names.
Type parse_type(std::string_view name);
Regime parse_regime(std::string_view name);
Determinism parse_determinism(std::string_view name);
/// "whole" is 0, "rows:32" is 32.
/// @throws InputError for other text, and for rows of less than 2 elements.
std::uint64_t parse_shape(std::string_view text);

/// The types that an operator can have for an input type, the default first; empty where it has none (bitwise operators
/// of floats).
///
/// The default: sums, products, norms and dot products of 8- and 16-bit integers accumulate in 32 bits, of f16 and
/// bf16 in f32, of others in their own type, and that is the result; integers wrap as C++ unsigned arithmetic does.
/// Means of integers accumulate in 64-bit integers and their L2 norms in f64, with f64 results. min and max return the
/// input's type, argmin and argmax a u64 index, any and all a u8 of 0 or 1, bitwise operators the input's type.
/// @throws InputError for an unknown operator, with the allowed names.
std::vector<ResultTypes> result_types(std::string_view op, Type input);

/// The problem of an operator and an input type, for a whole array; types that are not given are the default.
/// @throws InputError for an unknown operator, or types that it cannot have, with those that it can.
Problem make_problem(std::string_view op, Type input, std::optional<Type> accumulator = {},
                     std::optional<Type> output = {});

}  // namespace redtune
