// Stands in for the hardware's conversion between binary16 and binary32.
#pragma once

namespace redtune {

inline float half_to_float(unsigned short bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    float magnitude =
        std::ldexp(float(exponent == 0 ? fraction : fraction | 1024), (exponent == 0 ? 1 : exponent) - 25);
    if (exponent == 31) magnitude = fraction == 0 ? HUGE_VALF : std::nanf("");
    return bits & 0x8000 ? -magnitude : magnitude;
}

/// Returns the binary16 nearest to the value; ties round to even.
inline unsigned short float_to_half(float value) {
    const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return static_cast<unsigned short>(0x7fffu);
    if (magnitude == 0) return static_cast<unsigned short>(sign);
    if (magnitude >= 65520.0f) return static_cast<unsigned short>(sign | 0x7c00u);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    exponent = exponent < -13 ? -13 : exponent;  // subnormals are spaced like the smallest normals
    const auto steps = unsigned(std::nearbyint(std::ldexp(magnitude, 11 - exponent)));
    // A fraction that rounds up to 2048 carries into the exponent.
    return static_cast<unsigned short>(sign | (unsigned(exponent + 13) * 1024u + steps));
}

}  // namespace redtune
