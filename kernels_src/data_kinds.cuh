// The kinds of data on which kernels are timed, other than uniform values. An element depends on its place and the seed,
// not on the grid that fills the array.
#pragma once

#include "kernels_src/input_values.cuh"

namespace redtune {

/// The kinds of data. tuner/timing/data_kind.h has the same enumerators in the same order, and describes them.
enum class DataKind : int {
    uniform,
    normal,
    lognormal,
    outlier,
    cancelling,
    sparse,
    wide_exponents,
    subnormal,
    ascending,
    descending,
    constant,
    gradients,
    probabilities,
    counts,
    alternating,
    zeros
};

/// How an operator uses the elements, which limits their range: it combines values, adds products of two elements
/// (squares among them), or multiplies factors.
enum class Terms { values, products, factors };

/// The layout of the inputs in an array: they begin `stride` elements apart, the first after `offset` elements. An input
/// has rows of `count` elements, one for each result. `second` is the distance from an input's first element to that of
/// its second array; 0 if there is only one array.
struct InputLayout {
    u64 stride;
    u64 offset;
    u64 count;
    u64 second;
};

/// The place of an element.
struct Place {
    u64 index;       // in the whole array
    u64 position;    // in its row, below `count`
    u64 count;       // elements of the row
    bool is_second;  // the element is in the second array of a pair
};

/// Returns the place of the element at `index`. Elements between two inputs also have a place, though no kernel reads
/// them.
__device__ inline Place place_of(u64 index, const InputLayout& layout) {
    u64 inside = index % layout.stride;
    inside = inside < layout.offset ? 0 : inside - layout.offset;
    const bool is_second = layout.second != 0 && inside >= layout.second;
    if (is_second) inside -= layout.second;
    return {index, layout.count == 0 ? 0 : inside % layout.count, layout.count, is_second};
}

/// Returns random word number `number` of an element.
__device__ inline u64 random_word(u64 index, u64 seed, u64 number) {
    return splitmix64(splitmix64(index ^ (seed << 48)) + number);
}

/// Returns a number uniform in [-1, 1).
__device__ inline double signed_unit(u64 word) {
    return double(int(u32(word >> 32))) * (1.0 / 2147483648.0);
}

/// Returns a number uniform in (0, 1].
__device__ inline double positive_unit(u64 word) {
    return double((word >> 11) + 1) * (1.0 / 9007199254740992.0);
}

/// Returns a normally distributed number of mean 0 and standard deviation 1 (Box and Muller, 1958).
__device__ inline double standard_normal(u64 first, u64 second) {
    return sqrt(-2 * log(positive_unit(first))) * cos(3.141592653589793 * signed_unit(second));
}

/// The range of a floating-point type. Exponents are those of powers of two; least_step is the smallest subnormal.
template <class T>
struct FloatRange {
    static constexpr int least_exponent = -120;  // f32 and bf16
    static constexpr int largest_exponent = 90;  // the sum of 2^30 such values is below 2^121
    static constexpr double largest = 3e38;
    static constexpr double outlier = 1e30;
    static constexpr double least_step = sizeof(T) == 2 ? 0x1p-133 : 0x1p-149;
    static constexpr u64 steps = sizeof(T) == 2 ? 1u << 7 : 1u << 23;
};
template <>
struct FloatRange<double> {
    static constexpr int least_exponent = -1000;
    static constexpr int largest_exponent = 480;  // squares and their sums stay finite
    static constexpr double largest = 1e300;
    static constexpr double outlier = 1e30;
    static constexpr double least_step = 0x1p-1074;
    static constexpr u64 steps = u64(1) << 52;
};
template <>
struct FloatRange<Half> {
    static constexpr int least_exponent = -14;
    static constexpr int largest_exponent = 14;
    static constexpr double largest = 32768;
    static constexpr double outlier = 1e4;
    static constexpr double least_step = 0x1p-24;
    static constexpr u64 steps = 1u << 10;
};

/// Rounds a value to the type of an element.
template <class T>
__device__ T to_element(double value) {
    if constexpr (sizeof(T) == sizeof(double)) {
        return T(value);
    } else {
        return T(float(value));
    }
}

/// Returns one of two numbers with a random sign.
__device__ inline double with_sign(double magnitude, u64 word) {
    return word & 1 ? -magnitude : magnitude;
}

/// One element of a row is the outlier: which one depends on the row's place in the array and the seed.
__device__ inline bool is_outlier(const Place& place, u64 seed) {
    return place.count != 0 && random_word(place.index - place.position, seed, 9) % place.count == place.position;
}

/// Returns an element of cancelling data. The second half of a row has the negated values of the first half plus a
/// residue; a second array has the same values in both halves, so that the products cancel.
__device__ inline double cancelling_value(const Place& place, u64 seed) {
    const u64 half = place.count / 2;
    const bool is_negated = place.position >= half && place.position < 2 * half;
    const u64 original = place.index - (is_negated ? half : 0);
    const double value = signed_unit(random_word(original, seed, 0));
    if (!is_negated || place.is_second) return value;
    return -value + signed_unit(random_word(place.index, seed, 1)) * 0x1p-6;
}

/// Returns a value whose exponent is uniform over most of the range of T; over half of these exponents for products,
/// unless the products of T are far from overflow.
template <class T, Terms terms>
__device__ double wide_value(u64 word, u64 other) {
    using Range = FloatRange<T>;
    constexpr int part = terms == Terms::products && Range::largest_exponent > 60 ? 2 : 1;
    constexpr int least = Range::least_exponent / part;
    constexpr int exponents = Range::largest_exponent / part - least + 1;
    return with_sign(ldexp(1 + positive_unit(other) / 2, least + int((word >> 8) % u64(exponents))), word);
}

/// Returns the element of a floating-point input as a double. It is in the range of T.
template <class T, Terms terms>
__device__ double float_value(DataKind kind, const Place& place, u64 seed) {
    using Range = FloatRange<T>;
    constexpr bool is_product = terms == Terms::products;
    const u64 word = random_word(place.index, seed, 0);
    const u64 other = random_word(place.index, seed, 1);
    const double unit = signed_unit(word);
    const double along = place.count == 0 ? 0 : double(place.position) / double(place.count);
    switch (kind) {
        case DataKind::normal:
            return standard_normal(word, other);
        case DataKind::lognormal: {
            const double value = exp(4 * standard_normal(word, other));
            return value < Range::largest ? value : Range::largest;
        }
        case DataKind::outlier: {
            const double usual = terms == Terms::factors ? 1 + unit * 0x1p-20 : unit;
            if (!is_outlier(place, seed)) return usual;
            return is_product && Range::outlier > 1e15 ? 1e15 : Range::outlier;
        }
        case DataKind::cancelling:
            return cancelling_value(place, seed);
        case DataKind::sparse:
            return other % 100 == 0 ? unit : 0;
        case DataKind::wide_exponents:
            return wide_value<T, terms>(word, other);
        case DataKind::subnormal:
            return with_sign(double(1 + (word >> 1) % (Range::steps - 1)) * Range::least_step, word);
        case DataKind::ascending:
            return -1 + 2 * along;
        case DataKind::descending:
            return 1 - 2 * along;
        case DataKind::constant:
            return terms == Terms::factors ? 1 : 0.7;
        case DataKind::gradients: {
            const u64 third = random_word(place.index, seed, 2);
            const u64 fourth = random_word(place.index, seed, 3);
            return 1e-4 * exp(standard_normal(third, fourth)) * standard_normal(word, other);
        }
        case DataKind::probabilities:
            // The mean of exp(z) is exp(1/2) for a standard normal z.
            return exp(standard_normal(word, other) - 0.5) / double(place.count == 0 ? 1 : place.count);
        case DataKind::counts: {
            int count = 0;
            for (u64 rest = word; (rest & 1) != 0 && count < 20; rest >>= 1) ++count;
            return count;
        }
        case DataKind::alternating: {
            const double magnitude = terms == Terms::factors ? 1 : 0.75 + 0.25 * unit;
            return place.position % 2 == 0 ? magnitude : -magnitude;
        }
        default:
            return 0;
    }
}

/// Returns the element of an integer input. Kinds that integers cannot have give 0.
template <class T>
__device__ T integer_value(DataKind kind, const Place& place, u64 seed) {
    constexpr bool is_signed = T(-1) < T(0);
    constexpr u64 span = ~u64(0) >> (64 - 8 * sizeof(T));
    constexpr u64 least = is_signed ? u64(1) << (8 * sizeof(T) - 1) : 0;  // modulo 2^64
    const u64 word = random_word(place.index, seed, 0);
    const u64 small = word % 17 - (is_signed ? 8 : 0);
    const double along = place.count == 0 ? 0 : double(place.position) / double(place.count);
    switch (kind) {
        case DataKind::outlier:
            return is_outlier(place, seed) ? T(span - least) : T(small);
        case DataKind::sparse:
            return random_word(place.index, seed, 1) % 100 == 0 ? T(word >> 8) : T(0);
        case DataKind::ascending:
            return T(u64(along * double(span)) + least);
        case DataKind::descending:
            return T(span - u64(along * double(span)) + least);
        case DataKind::constant:
            return T(7);
        case DataKind::counts:
            return T(float_value<float, Terms::values>(kind, place, seed));
        case DataKind::alternating: {
            const u64 magnitude = 1 + (word >> 8) % 8;
            return T(place.position % 2 == 0 ? magnitude : ~magnitude + 1);
        }
        default:
            return T(0);
    }
}

/// Returns the element of a kind of data other than uniform.
template <class T, Terms terms>
__device__ T make_data(DataKind kind, const Place& place, u64 seed) {
    if constexpr (IsFloat<T>::value) {
        return to_element<T>(float_value<T, terms>(kind, place, seed));
    } else {
        return integer_value<T>(kind, place, seed);
    }
}

/// Fills the first n elements of an array that has the inputs of a layout with a kind of data other than uniform.
template <class T, Terms terms>
__global__ void fill_data(T* to, u64 n, InputLayout layout, DataKind kind, u64 seed) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        to[i] = make_data<T, terms>(kind, place_of(i, layout), seed);
    }
}

/// Fills the first n elements of an array with given values. Every input begins with the first value; the values are
/// repeated if an input has more elements than there are values.
template <class T>
__global__ void fill_values(T* to, u64 n, InputLayout layout, const T* values, u64 count) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const u64 inside = i % layout.stride;
        to[i] = values[(inside < layout.offset ? 0 : inside - layout.offset) % count];
    }
}

}  // namespace redtune
