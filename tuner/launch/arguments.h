#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"

namespace redtune::launch {

/// The device addresses of a problem's input.
struct InputArrays {
    std::uint64_t first = 0;
    std::uint64_t second = 0;  ///< for operators over pairs
};

/// The only parameter of every family's kernel. Has the layout of Arguments in kernels_src/problem.cuh, where pointers
/// are addresses of 64 bits here.
struct Arguments {
    std::uint64_t input = 0;
    std::uint64_t second = 0;
    std::uint64_t n = 0;
    std::uint64_t row_length = 0;
    std::uint64_t count = 0;
    std::uint64_t output = 0;
    std::uint64_t header = 0;
    std::uint64_t slots = 0;
};

/// Returns the arguments of one launch of a plan. `workspace` is the address of plan.workspace_bytes.
Arguments arguments_of(const LaunchPlan& plan, const Launch& step, const InputArrays& input, std::uint64_t output,
                       std::uint64_t workspace);

}  // namespace redtune::launch
