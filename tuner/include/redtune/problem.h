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
    std::uint64_t row_length = 0;  ///< elements of a row, which has one result; 0: the problem has no rows
    /// Columns of a row-major matrix, each of which has one result; 0: the problem has no columns. At most one of
    /// row_length and columns is not 0; if both are 0, there is one result for the whole array.
    std::uint64_t columns = 0;
    Determinism determinism = Determinism::any;  ///< the reproducibility that the caller needs
    bool destructive = false;                    ///< true: the call may overwrite its input

    /// Compares all members.
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The elements of an array that are combined into one result.
enum class ShapeKind : std::uint8_t {
    whole,   ///< all
    rows,    ///< those of a row: the last axis is reduced
    columns  ///< those of a column: the first axis of a matrix, or the middle axis of three, is reduced
};

/// The members of a problem that say which elements are combined.
struct Shape {
    std::uint64_t row_length = 0;  ///< see Problem::row_length
    std::uint64_t columns = 0;     ///< see Problem::columns

    /// Returns what is reduced.
    ShapeKind kind() const noexcept {
        return columns != 0 ? ShapeKind::columns : row_length != 0 ? ShapeKind::rows : ShapeKind::whole;
    }
    /// Returns the number of which every n is a multiple: the elements of a row of the array; 1 for a whole array.
    std::uint64_t unit() const noexcept { return columns != 0 ? columns : row_length != 0 ? row_length : 1; }
    /// Compares all members.
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// The extents of a contiguous, row-major array that is reduced over its middle axis. There are outer * inner results,
/// next to each other; result o * inner + i combines the elements (o * reduced + r) * inner + i for all r. A tensor
/// with more axes is such an array too: the extents before and after the reduced axis are multiplied.
struct Extents {
    std::uint64_t outer = 1;    ///< arrays of reduced x inner elements: rows, or matrices
    std::uint64_t reduced = 0;  ///< elements that are combined into one result
    std::uint64_t inner = 1;    ///< elements between two that are combined: the number of columns

    /// Returns the number of elements.
    std::uint64_t n() const noexcept { return outer * reduced * inner; }
    /// Returns the number of results.
    std::uint64_t results() const noexcept { return outer * inner; }
    /// Compares all members.
    friend bool operator==(const Extents&, const Extents&) = default;
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

REDTUNE_EXPORT std::string_view to_string(ShapeKind kind) noexcept;

/// Returns the shape's name: "whole", "rows:32" or "columns:64".
REDTUNE_EXPORT std::string shape_name(const Problem& problem);
/// Returns the problem's shape.
REDTUNE_EXPORT Shape shape_of(const Problem& problem) noexcept;
/// Returns the problem with another shape.
REDTUNE_EXPORT Problem with_shape(Problem problem, const Shape& shape);
/// Returns the extents of an array of n elements: one matrix if the shape has columns.
/// @param n a multiple of shape.unit()
REDTUNE_EXPORT Extents extents_of(const Shape& shape, std::uint64_t n) noexcept;
REDTUNE_EXPORT Extents extents_of(const Problem& problem, std::uint64_t n) noexcept;

/// Returns the size of one element in bytes.
REDTUNE_EXPORT std::uint32_t size_of(Type type) noexcept;
/// Returns the size of an accumulator in bytes: 16 for argmin and argmax, which combine pairs of value and index.
REDTUNE_EXPORT std::uint32_t accumulator_bytes(const Problem& problem) noexcept;
/// Returns the bytes of input that a call on n elements reads from all arrays together.
REDTUNE_EXPORT std::uint64_t bytes_read(const Problem& problem, std::uint64_t n) noexcept;
/// Returns the number of results of a call on n elements: 1 for a whole array, n / row_length for rows, and the number
/// of columns for one matrix.
REDTUNE_EXPORT std::uint64_t result_count(const Problem& problem, std::uint64_t n) noexcept;

/// These return the names that parse_type() and make_problem() accept, in the order in which lists show them.
REDTUNE_EXPORT std::vector<std::string> type_names();
REDTUNE_EXPORT std::vector<std::string> operator_names();

/// These return the enumerator whose printed name is `name`.
/// @throws InputError, which lists the allowed names, if no enumerator has this name.
REDTUNE_EXPORT Type parse_type(std::string_view name);
REDTUNE_EXPORT Regime parse_regime(std::string_view name);
REDTUNE_EXPORT Determinism parse_determinism(std::string_view name);
/// Returns the shape of this name: "whole", "rows:32" or "columns:64".
/// @throws InputError for other text, for rows of fewer than 2 elements and for no columns.
REDTUNE_EXPORT Shape parse_shape(std::string_view text);

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
