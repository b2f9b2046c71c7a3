// Runs the kernels of kernels/defects.cuh with several seeds.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "tests/emulator/kernels/defects.cuh"

namespace defects {

constexpr int seeds = 20;
constexpr emulator::Launch four_blocks{.grid = 4, .block = 128};

/// The memory of one launch. Its n input elements have the values 1, 2, 3, ...
struct Buffers {
    static constexpr unsigned most = 4096;
    emulator::Memory memory;
    Work work;

    explicit Buffers(unsigned n = 1024) {
        int* input = memory.allocate<int>(n, emulator::Access::read_only, 0, "input");
        for (unsigned i = 0; i < n; ++i) input[i] = int(i) + 1;
        work = {input,
                n,
                memory.allocate<int>(most, emulator::Access::read_write, 0, "output"),
                memory.allocate<int>(most, emulator::Access::uninitialised, 0, "slots"),
                memory.allocate<u32>(1, emulator::Access::read_write, 0, "counter"),
                memory.allocate<u64>(most, emulator::Access::read_write, 0, "words")};
    }
};

using Kernel = std::function<void(const Work&)>;

inline std::vector<std::string> defects_of(Buffers& buffers, const Kernel& kernel, const emulator::Launch& launch,
                                           std::uint64_t seed) {
    return emulator::run([&] { kernel(buffers.work); }, launch, buffers.memory, {.seed = seed}).defects;
}

/// Expects that every seed reports a defect whose text contains `text`.
inline void expect_defect(const Kernel& kernel, const emulator::Launch& launch, const std::string& text,
                          unsigned n = 1024) {
    for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
        Buffers buffers(n);
        EXPECT_THAT(defects_of(buffers, kernel, launch, seed), testing::Contains(testing::HasSubstr(text)))
            << "seed " << seed;
    }
}

/// Expects that no seed reports a defect, and that output[0] is `first_output`.
inline void expect_clean(const Kernel& kernel, const emulator::Launch& launch, int first_output, unsigned n = 1024) {
    for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
        Buffers buffers(n);
        EXPECT_THAT(defects_of(buffers, kernel, launch, seed), testing::IsEmpty()) << "seed " << seed;
        EXPECT_EQ(buffers.work.output[0], first_output) << "seed " << seed;
    }
}

/// Returns 1 + 2 + ... + n.
constexpr int sum_to(int n) {
    return n * (n + 1) / 2;
}

}  // namespace defects
