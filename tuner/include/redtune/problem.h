#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Element types: signed and unsigned integers, IEEE floats, bfloat16. They are printed as the enumerators are called.
enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// The memory that holds the input when a call starts, and the work before the call. cold: the input is in device
/// memory only. warm: it is in the L2 cache. back_to_back: it is in device memory only, and the call is launched while
/// the previous call in the same CUDA stream may still run.
enum class Regime : std::uint8_t { cold, warm, back_to_back };

/// any: the result may differ in rounding between two calls. run_to_run: the same input, n, alignment
/// and configuration give the same bits at every call on one device.
enum class Determinism : std::uint8_t { any, run_to_run };

/// A reduction without its size. Two problems are the same when all members are equal.
struct Problem {
    std::string op = "sum";        ///< name of the operator
    Type input = Type::f32;        ///< type of the array's elements
    Type accumulator = Type::f32;  ///< type that is combined; argmin and argmax combine pairs of it and an index
    Type output = Type::f32;       ///< type of a result
    std::uint32_t arrays = 1;      ///< arrays of n elements that are read: 2 for "dot"
    std::uint64_t row_length = 0;  ///< 0: the whole array has one result; else each row of this length has one
    Determinism determinism = Determinism::any;  ///< what the caller requires
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

/// Returns the shape's name: "whole" or "rows:32".
std::string shape_name(const Problem& problem);

/// Returns the size of one element in bytes.
std::uint32_t size_of(Type type) noexcept;
/// Returns the size of an accumulator in bytes; argmin and argmax combine pairs of 16 bytes.
std::uint32_t accumulator_bytes(const Problem& problem) noexcept;
/// Returns the bytes of input that a call on n elements reads from all arrays together.
std::uint64_t bytes_read(const Problem& problem, std::uint64_t n) noexcept;
/// Returns the number of results of a call on n elements: 1 for a whole array, else n / row_length.
std::uint64_t result_count(const Problem& problem, std::uint64_t n) noexcept;

/// Return the names that parse_type and make_problem accept, in the order in which lists show them.
std::vector<std::string> type_names();
std::vector<std::string> operator_names();

/// Return the enumerator of a name.
/// @throws InputError with the allowed names.
Type parse_type(std::string_view name);
Regime parse_regime(std::string_view name);
Determinism parse_determinism(std::string_view name);
/// Returns the row length of a shape's name: 0 for "whole", 32 for "rows:32".
/// @throws InputError for other text, and for rows of less than 2 elements.
std::uint64_t parse_shape(std::string_view text);

/// Returns the accumulator and output types that an operator can have for an input type, the default first. The result
/// is empty where the operator is not defined (bitwise operators of floats).
///
/// These are the defaults: sums, products, norms and dot products of 8- and 16-bit integers accumulate in 32 bits, of
/// f16 and bf16 in f32, of others in their own type, and that is the result; integers wrap as C++ unsigned arithmetic
/// does. Means of integers accumulate in 64-bit integers and their L2 norms in f64, with f64 results. min and max
/// return the input's type, argmin and argmax a u64 index, any and all a u8 of 0 or 1, bitwise operators the input's
/// type.
/// @throws InputError for an unknown operator, with the allowed names.
std::vector<ResultTypes> result_types(std::string_view op, Type input);

/// Returns the problem of an operator and an input type for a whole array. Types that are not given are the default.
/// @throws InputError for an unknown operator, or types that it cannot have, with the types that it can have.
Problem make_problem(std::string_view op, Type input, std::optional<Type> accumulator = {},
                     std::optional<Type> output = {});

}  // namespace redtune
