#include "compare/exact_terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tuner/core/element.h"
#include "tuner/core/parallel.h"

namespace redtune::compare {

namespace {

// Elements that a thread sums at a time.
constexpr std::uint64_t part_elements = std::uint64_t{1} << 18;

template <class T>
T read(const void* array, std::uint64_t index) {
    T value;
    std::memcpy(&value, static_cast<const unsigned char*>(array) + index * sizeof(T), sizeof(T));
    return value;
}

}  // namespace

void ExactTerms::add(const ExactTerms& other) {
    sum.add(other.sum);
    magnitudes.add(other.magnitudes);
}

double float_element(Type type, const void* array, std::uint64_t index) {
    switch (type) {
        case Type::f16:
            return half_value(read<std::uint16_t>(array, index));
        case Type::bf16:
            return std::bit_cast<float>(static_cast<std::uint32_t>(read<std::uint16_t>(array, index)) << 16);
        case Type::f32:
            return read<float>(array, index);
        case Type::f64:
            return read<double>(array, index);
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

ExactTerms exact_terms(const Problem& problem, const void* first, const void* second, std::uint64_t n) {
    const auto sum_part = [&](std::uint64_t begin) {
        ExactTerms part;
        for (std::uint64_t i = begin; i < std::min(begin + part_elements, n); ++i) {
            double term = float_element(problem.input, first, i);
            if (problem.arrays == 2) term *= float_element(problem.input, second, i);
            part.sum.add(term);
            part.magnitudes.add(std::abs(term));
        }
        return part;
    };
    std::vector<std::uint64_t> begins;
    for (std::uint64_t begin = 0; begin < n; begin += part_elements) begins.push_back(begin);
    ExactTerms total;
    for_each_in_parallel(std::move(begins), one_thread_per_core(), sum_part,
                         [&](const ExactTerms& part) { total.add(part); });
    return total;
}

}  // namespace redtune::compare
