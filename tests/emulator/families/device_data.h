// Device code that makes and judges data, behind an interface without device types.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace redtune::emulated {

/// The place of an element, as redtune::Place of kernels_src/data_kinds.cuh.
struct ElementPlace {
    std::uint64_t index = 0;
    std::uint64_t position = 0;
    std::uint64_t count = 0;
    bool is_second = false;
};

/// Returns the bits of an element of a kind of data.
using MakeElement = std::uint64_t (*)(int kind, const ElementPlace& place, std::uint64_t seed);

/// Maps the name expression of a kernel that fills data to the function that makes its elements.
const std::map<std::string, MakeElement>& element_makers();

/// Returns whether device code takes a result for right.
/// @param output_type the device's name of the output type, a floating-point type
/// @param bound the five members of a Tolerance
bool is_right_on_device(const std::string& output_type, std::uint64_t got, double expected, const double (&bound)[5],
                        double magnitudes, double squares);

}  // namespace redtune::emulated
