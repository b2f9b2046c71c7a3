#include "tests/support/host_reference.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "tuner/core/element.h"
#include "tuner/core/operator.h"

namespace redtune::test_support {

namespace {

constexpr std::uint64_t no_index = ~std::uint64_t{0};

/// Returns an integer extended to 64 bits: sign-extended if the type is signed, else zero-extended. The low bytes of
/// `bits` contain the integer; the other bytes are ignored.
std::uint64_t extended(Type type, std::uint64_t bits) {
    const unsigned unused = 64 - 8 * size_of(type);
    if (is_signed(type)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
    return bits << unused >> unused;
}

/// Returns the value of the integer of this type in the low bytes of `bits`.
long double integer_value(Type type, std::uint64_t bits) {
    const std::uint64_t wide = extended(type, bits);
    return is_signed(type) ? static_cast<long double>(static_cast<std::int64_t>(wide)) : static_cast<long double>(wide);
}

struct Element {
    long double real = 0;
    std::uint64_t bits = 0;  // integers only: extended to 64 bits
};

/// Returns element i of an array.
Element read(Type type, const void* array, std::uint64_t i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const unsigned char*>(array) + i * size_of(type), size_of(type));
    if (is_float(type)) return {real_of(type, bits), 0};
    return {integer_value(type, bits), extended(type, bits)};
}

/// Returns whether the next element b replaces the extreme a. NaN is the extreme of all values; of equal values, the
/// first one stays.
bool replaces_extreme(bool wants_smallest, long double b, long double a) {
    if (std::isnan(a)) return false;
    if (std::isnan(b)) return true;
    return wants_smallest ? b < a : b > a;
}

/// Reduces a row or a column one element after another.
class RowReduction {
  public:
    explicit RowReduction(const Problem& problem) : problem_(problem), integers_(!is_float(problem.accumulator)) {
        if (problem.op == "product") real_ = bits_ = 1;
        if (problem.op == "bit_and") bits_ = ~std::uint64_t{0};
        if (problem.op == "all") bits_ = 1;
    }

    /// Combines the next element with the result so far. `y` is the element of the second array, if there is one.
    void take(const Element& x, const Element& y) {
        const std::string& op = problem_.op;
        if (op == "sum" || op == "mean") {
            add(x.real, x.bits);
        } else if (op == "product") {
            real_ *= x.real;
            bits_ *= x.bits;
        } else if (op == "sum_of_squares" || op == "l2_norm") {
            add(x.real * x.real, x.bits * x.bits);
        } else if (op == "l1_norm") {
            add(std::abs(x.real), x.real < 0 ? 0 - x.bits : x.bits);
        } else if (op == "dot") {
            add(x.real * y.real, x.bits * y.bits);
        } else if (op == "min" || op == "max" || op == "argmin" || op == "argmax") {
            if (count_ == 0 || replaces_extreme(op == "min" || op == "argmin", x.real, real_)) {
                real_ = x.real;
                bits_ = x.bits;
                index_ = count_;
            }
        } else if (op == "any") {
            bits_ |= x.real != 0 ? 1 : 0;
        } else if (op == "all") {
            bits_ &= x.real != 0 ? 1 : 0;
        } else if (op == "bit_and") {
            bits_ &= x.bits;
        } else if (op == "bit_or") {
            bits_ |= x.bits;
        } else if (op == "bit_xor") {
            bits_ ^= x.bits;
        } else {
            throw std::logic_error("no host reference for " + op);
        }
        ++count_;
    }

    HostResult result() const {
        const std::string& op = problem_.op;
        if (op == "argmin" || op == "argmax") return {0, count_ == 0 ? no_index : index_};
        if ((op == "min" || op == "max") && count_ == 0) return extreme_identity();
        const long double value = integers_ ? integer_value(problem_.accumulator, bits_) : real_;
        if (op == "mean") return {value / static_cast<long double>(count_), 0};
        if (op == "l2_norm") return {std::sqrt(value), 0};
        return {value, integers_ ? bits_ : static_cast<std::uint64_t>(0)};
    }

  private:
    void add(long double real, std::uint64_t bits) {
        real_ += real;
        bits_ += bits;
    }

    /// Returns the identity of min or max, which is the result for a row without elements.
    HostResult extreme_identity() const {
        const bool is_min = problem_.op == "min";
        const long double infinity = std::numeric_limits<long double>::infinity();
        if (!integers_) return {is_min ? infinity : -infinity, 0};
        const unsigned width = 8 * size_of(problem_.accumulator);
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
        if (!is_signed(problem_.accumulator)) return {0, is_min ? all : 0};
        return {0, is_min ? all >> 1 : (all >> 1) + 1};
    }

    const Problem& problem_;
    bool integers_;
    long double real_ = 0;
    std::uint64_t bits_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t index_ = 0;
};

}  // namespace

long double real_of(Type type, std::uint64_t bits) {
    switch (type) {
        case Type::f16:
            return half_value(static_cast<std::uint16_t>(bits));
        case Type::bf16:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
        case Type::f32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case Type::f64:
            return std::bit_cast<double>(bits);
        default:
            return integer_value(type, bits);
    }
}

std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second, std::uint64_t n) {
    return host_results(problem, first, second, extents_of(problem, n));
}

std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second,
                                     const Extents& extents) {
    std::vector<HostResult> results;
    for (std::uint64_t result = 0; result < extents.results(); ++result) {
        RowReduction current(problem);
        const std::uint64_t matrix = result / extents.inner;
        const std::uint64_t column = result % extents.inner;
        for (std::uint64_t row = 0; row < extents.reduced; ++row) {
            const std::uint64_t i = (matrix * extents.reduced + row) * extents.inner + column;
            current.take(read(problem.input, first, i),
                         problem.arrays == 2 ? read(problem.input, second, i) : Element());
        }
        results.push_back(current.result());
    }
    return results;
}

std::string judge(const Problem& problem, const HostResult& expected, std::uint64_t got, double tolerance) {
    if (is_float(problem.output)) {
        const long double value = real_of(problem.output, got);
        if (std::isnan(expected.real) && std::isnan(value)) return "";
        if (value == expected.real) return "";
        const double roundoff = problem.output == Type::bf16 ? 0x1p-8 : problem.output == Type::f16 ? 0x1p-11 : 0;
        const bool is_near = std::isfinite(expected.real) &&
                             std::abs(value - expected.real) <= (roundoff + tolerance) * std::abs(expected.real);
        if (is_near) return "";
        // An expected value that is too large for a float output type is rounded to infinity.
        if (std::isinf(value) && std::isinf(static_cast<float>(expected.real)) && problem.output != Type::f64)
            return "";
        return fmt::format("expected {:.9g}, got {}", static_cast<double>(expected.real),
                           format_element(problem.output, got));
    }
    const unsigned unused = 64 - 8 * size_of(problem.output);
    const bool is_index = find_operator(problem.op)->combined == Combined::value_and_index;
    const std::uint64_t wanted = is_float(problem.accumulator) && !is_index
                                     ? static_cast<std::uint64_t>(static_cast<std::int64_t>(expected.real))
                                     : expected.bits;
    if (wanted << unused == got << unused) return "";
    return fmt::format("expected {}, got {}", format_element(problem.output, wanted << unused >> unused),
                       format_element(problem.output, got));
}

}  // namespace redtune::test_support
