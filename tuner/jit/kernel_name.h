#pragma once

#include <string>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/configuration.h"
#include "tuner/core/family.h"

namespace redtune::jit {

/// A kernel to compile: an instantiation, and the source that defines its template.
struct KernelName {
    std::string source;  ///< "templates/grid_stride_wide.cuh"
    /// "redtune::grid_stride_wide<redtune::Problem<...>, 256, 4, 16, redtune::Finish::publish>"
    std::string expression;

    friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

/// Returns the C++ name of an element type in device code: f32 is "float".
std::string device_type(Type type);

/// Returns the type of what device code combines: argmin of f32 combines "redtune::Indexed<float>", max of f16
/// "redtune::HalfKey".
std::string device_accumulator(const Problem& problem);

/// Returns the problem as device code names it: "redtune::Problem<redtune::Sum<float, float, float>, float, float,
/// float>".
std::string device_problem(const Problem& problem);

/// Returns the kernel that a candidate launches in a role.
KernelName kernel_name(const Family& family, const Problem& problem, const Candidate& candidate, KernelRole role);

}  // namespace redtune::jit
