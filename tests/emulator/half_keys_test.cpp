// Tests the keys of 16-bit floats and the search for the lowest key against comparisons of the floats themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/half_search.cuh"

namespace {

using redtune::BFloat16;
using redtune::Half;

template <class T>
T of_bits(unsigned bits) {
    T value;
    value.bits = static_cast<unsigned short>(bits);
    return value;
}

/// Returns whether `a` is better than `b`: smaller, or larger if is_max. NaN is better than any number.
template <bool is_max>
bool is_better(float a, float b) {
    if (std::isnan(b)) return false;
    return std::isnan(a) || (is_max ? a > b : a < b);
}

/// Returns a generator of the bits of 16-bit floats. Zeros, NaN and infinities are frequent, so that they are compared
/// with each other.
rc::Gen<unsigned> halves() {
    return rc::gen::weightedOneOf<unsigned>({{3, rc::gen::inRange(0u, 0x10000u)},
                                             {1, rc::gen::element(0u, 0x8000u, 0x7c00u, 0xfc00u, 0x7f80u, 0xff80u)},
                                             {1, rc::gen::element(1u, 0x8001u, 0x7bffu, 0xfbffu, 0x7f7fu, 0xff7fu)}});
}

template <class T, bool is_max>
void check_order(unsigned a, unsigned b) {
    const auto key = [](unsigned bits) {
        return redtune::merge_zero_keys<is_max>(redtune::half_key<is_max>(of_bits<T>(bits)));
    };
    const float x = of_bits<T>(a);
    const float y = of_bits<T>(b);
    const bool is_lower = key(a) < key(b);
    RC_ASSERT(is_lower == is_better<is_max>(x, y));
    RC_ASSERT(key(a) <= 0xffffu);
    const float again = redtune::value_of_half_key<T, is_max>(key(a));
    const bool is_same = std::isnan(x) ? std::isnan(again) : again == x;
    RC_ASSERT(is_same);
}

RC_GTEST_PROP(HalfKeys, OrderAsTheFloatsDo, ()) {
    const unsigned a = *halves();
    const unsigned b = *halves();
    check_order<Half, false>(a, b);
    check_order<Half, true>(a, b);
    check_order<BFloat16, false>(a, b);
    check_order<BFloat16, true>(a, b);
}

template <class T, bool is_max, int bytes, int count>
void check_search() {
    using V = redtune::Vector<T, bytes>;
    std::array<V, count> vectors;
    unsigned expected = 0;
    for (unsigned i = 0; i < count * V::lanes; ++i) {
        auto& word = vectors[i / V::lanes].words[i % V::lanes / 2];
        const unsigned bits = *halves();
        word = i % 2 == 0 ? bits : word | bits << 16;
    }
    const auto value = [&](unsigned i) { return float(vectors[i / V::lanes].lane(int(i % V::lanes))); };
    for (unsigned i = 1; i < count * V::lanes; ++i) {
        if (is_better<is_max>(value(i), value(expected))) expected = i;
    }
    V loaded[count];
    std::copy(vectors.begin(), vectors.end(), loaded);
    const auto key = redtune::merge_zero_keys<is_max>(redtune::lowest_half_key<is_max, T>(loaded));
    const T lowest = redtune::value_of_half_key<T, is_max>(key);
    const bool is_lowest = std::isnan(float(lowest)) ? std::isnan(value(expected)) : float(lowest) == value(expected);
    RC_ASSERT(is_lowest);
    using Search = redtune::HalfSearch<T, is_max, V, count>;
    RC_ASSERT(Search::first(loaded, key) == expected);
    const auto best_infinity = redtune::half_key_of_bits<is_max>(redtune::infinity_bits(T()) | (is_max ? 0 : 0x8000u));
    const auto lower = key == 0 ? key : std::min(key - 1, best_infinity);
    if (lower >= best_infinity) RC_ASSERT(Search::first(loaded, lower) == redtune::not_found);
}

RC_GTEST_PROP(HalfSearch, FindsTheFirstElementWithTheLowestKey, ()) {
    check_search<Half, false, 4, 1>();
    check_search<Half, true, 8, 2>();
    check_search<BFloat16, false, 16, 1>();
    check_search<BFloat16, true, 16, 4>();
    check_search<Half, false, 16, 8>();
    check_search<BFloat16, true, 8, 8>();
}

}  // namespace
