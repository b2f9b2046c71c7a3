#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/export.h"

namespace redtune {

/// Element types: signed and unsigned integers, IEEE floats, bfloat16. The printed names equal the enumerators.
enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// The conditions under which a call is timed. cold: the input is in device memory only. warm: the input is in the L2
/// cache. back_to_back: the input is in device memory only, and the call is launched while the previous call in the
/// same CUDA stream may still run.
enum class Regime : std::uint8_t { cold, warm, back_to_back };

/// The reproducibility of results. any: the rounding may differ between two calls. run_to_run: the same input, n,
/// alignment and configuration give the same bits at every call on one device.
enum class Determinism : std::uint8_t { any, run_to_run };

/// A reduction without its size. Two problems are the same when all members are equal.
struct Problem {
    std::string op = "sum";  ///< name of the operator
    Type input = Type::f32;  ///< type of the array's elements
    Type accumulator =
        Type::f32;             ///< type of partial results; argmin and argmax combine pairs of this type and an index
    Type output = Type::f32;   ///< type of a result
    std::uint32_t arrays = 1;  ///< number of input arrays, each of n elements: 2 for "dot"
    std::uint64_t row_length = 0;  ///< elements of a row, which has one result; 0: one result for the whole array
    Determinism determinism = Determinism::any;  ///< the reproducibility that the caller needs
    bool destructive = false;                    ///< true: the call may overwrite its input

    /// Compares all members.
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// A pair of accumulator and output type that an operator supports for an input type.
struct ResultTypes {
    Type accumulator = Type::f32;  ///< type of partial results
    Type output = Type::f32;       ///< type of a result

    /// Compares all members.
    friend bool operator==(const ResultTypes&, const ResultTypes&) = default;
};

REDTUNE_EXPORT std::string_view to_string(Type type) noexcept;
REDTUNE_EXPORT std::string_view to_string(Regime regime) noexcept;
REDTUNE_EXPORT std::string_view to_string(Determinism determinism) noexcept;

/// Returns the shape's name: "whole" or "rows:32".
REDTUNE_EXPORT std::string shape_name(const Problem& problem);

/// Returns the size of one element in bytes.
REDTUNE_EXPORT std::uint32_t size_of(Type type) noexcept;
/// Returns the size of an accumulator in bytes: 16 for argmin and argmax, which combine pairs of value and index.
REDTUNE_EXPORT std::uint32_t accumulator_bytes(const Problem& problem) noexcept;
/// Returns the bytes of input that a call on n elements reads from all arrays together.
REDTUNE_EXPORT std::uint64_t bytes_read(const Problem& problem, std::uint64_t n) noexcept;
/// Returns the number of results of a call on n elements: 1 for a whole array, else n / row_length.
REDTUNE_EXPORT std::uint64_t result_count(const Problem& problem, std::uint64_t n) noexcept;

/// These return the names that parse_type() and make_problem() accept, in the order in which lists show them.
REDTUNE_EXPORT std::vector<std::string> type_names();
REDTUNE_EXPORT std::vector<std::string> operator_names();

/// These return the enumerator whose printed name is `name`.
/// @throws InputError, which lists the allowed names, if no enumerator has this name.
REDTUNE_EXPORT Type parse_type(std::string_view name);
REDTUNE_EXPORT Regime parse_regime(std::string_view name);
REDTUNE_EXPORT Determinism parse_determinism(std::string_view name);
/// Returns the row length of a shape's name: 0 for "whole", 32 for "rows:32".
/// @throws InputError for other text and for rows of fewer than 2 elements.
REDTUNE_EXPORT std::uint64_t parse_shape(std::string_view text);

/// Returns the accumulator and output types that an operator supports for an input type, the default first. The result
/// is empty if the operator is not defined for the input type (bitwise operators on floats).
///
/// The defaults are:
/// - Sums, products, means, norms and dot products accumulate 8- and 16-bit integers in 32 bits, f16 and bf16 in f32,
///   and other types in the input type. The output type is the accumulator type. Integers wrap as unsigned C++ integers
///   do. Two operators on integers differ: a mean accumulates in a 64-bit integer, an L2 norm in f64, and both return
///   f64.
/// - min, max and the bitwise operators return the input type; argmin and argmax return a u64 index; any and all return
///   a u8 that is 0 or 1.
/// @throws InputError, which lists the allowed names, for an unknown operator.
REDTUNE_EXPORT std::vector<ResultTypes> result_types(std::string_view op, Type input);

/// Returns the problem of reducing a whole array of the input type with an operator. Types that are not given are the
/// defaults of result_types().
/// @throws InputError for an unknown operator, or for types that it does not support; the message lists the allowed
/// ones.
REDTUNE_EXPORT Problem make_problem(std::string_view op, Type input, std::optional<Type> accumulator = {},
                                    std::optional<Type> output = {});

}  // namespace redtune
