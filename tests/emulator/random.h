// The pseudo-random numbers of a launch (splitmix64).
#pragma once

#include <cstdint>

namespace emulator {

class Random {
  public:
    explicit Random(std::uint64_t seed = 0) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
    /// Returns a number in [0, count).
    std::uint32_t below(std::uint32_t count) { return std::uint32_t((next() >> 32) * count >> 32); }
    bool one_in(std::uint32_t count) { return below(count) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace emulator
