#pragma once

#include <array>
#include <cstddef>

namespace redtune::compare {

/// The exact sum of any number of doubles, in any order. There is one 128-bit integer for each exponent that a double
/// can have; a term adds its 53-bit significand to the integer of its exponent, so at least 2^74 terms fit. It is a
/// simple form of the superaccumulators of Neal, Fast Exact Summation Using Small and Large Superaccumulators, 2015.
class ExactSum {
  public:
    void add(double term);
    void add(const ExactSum& other);

    /// Returns the double nearest to the sum, ties to even; an infinity if the sum is too large. If a term was infinite
    /// or NaN, returns the sum of these terms.
    double value() const;

  private:
    using Integer = __int128;
    static constexpr std::size_t exponents = 2047;  // exponent fields of finite doubles; 0 (subnormal) is counted as 1

    std::array<Integer, exponents> significands_{};
    double not_finite_ = 0;  ///< sum of the terms that are infinite or NaN
};

}  // namespace redtune::compare
