#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"

namespace redtune::launch {

/// The device addresses of a problem's input arrays.
struct InputArrays {
    std::uint64_t first = 0;
    std::uint64_t second = 0;  ///< array of the second operands, for operators over pairs such as dot; else 0
};

/// The only parameter of every family's kernel. It has the layout of Arguments in kernels_src/problem.cuh, with 64-bit
/// addresses in place of the pointers.
struct Arguments {
    std::uint64_t input = 0;
    std::uint64_t second = 0;
    std::uint64_t n = 0;
    std::uint64_t row_length = 0;  ///< the number of columns if the kernel reduces columns
    std::uint64_t count = 0;
    std::uint64_t output = 0;
    std::uint64_t header = 0;
    std::uint64_t slots = 0;
};

/// A number of elements that lies in device memory.
struct DeviceCount {
    std::uint64_t address = 0;  ///< of the number, 64 bits
    std::uint64_t most = 0;     ///< the number is taken as at most this
};

/// The only parameter of every kernel that loads the number of elements. It has the layout of the specialisations of
/// Arguments in kernels_src/device_count.cuh.
struct CountedArguments {
    std::uint64_t input = 0;
    std::uint64_t second = 0;
    std::uint64_t n = 0;           ///< the address of the number; the number of partials if the launch reads partials
    std::uint64_t row_length = 0;  ///< the number's upper bound; the number of partials if the launch reads partials
    std::uint64_t count = 0;       ///< the address of the number
    std::uint64_t most = 0;        ///< the number's upper bound
    std::uint64_t output = 0;
    std::uint64_t header = 0;
    std::uint64_t slots = 0;
};

/// The device addresses of the two parts of a workspace. A single plan has its slots behind the header; a workspace
/// that serves plans with and without zeroed slots keeps the slots of both kinds apart.
struct WorkspaceParts {
    /// Returns the parts of a workspace of a single plan.
    static WorkspaceParts of(std::uint64_t workspace) { return {workspace, workspace + LaunchPlan::header_bytes}; }

    std::uint64_t header = 0;
    std::uint64_t slots = 0;
};

/// Returns the arguments of one launch of a plan.
Arguments arguments_of(const LaunchPlan& plan, const Launch& step, const InputArrays& input, std::uint64_t output,
                       const WorkspaceParts& workspace);

/// Returns the arguments of one launch of a plan for `count.most` elements of a whole array.
CountedArguments arguments_of(const LaunchPlan& plan, const Launch& step, const InputArrays& input,
                              const DeviceCount& count, std::uint64_t output, const WorkspaceParts& workspace);

}  // namespace redtune::launch
