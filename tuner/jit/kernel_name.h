#pragma once

#include <string>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::jit {

/// A kernel to compile: an instantiation, and the source that defines its template.
struct KernelName {
    std::string source;  ///< "templates/stream.cuh"
    std::string
        expression;  ///< "redtune::grid_stride_wide<redtune::Problem<...>, 256, 4, 16, redtune::Finish::publish>"

    friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

/// The C++ name of an element type in device code: f32 is "float".
std::string device_type(Type type);

/// What device code combines: argmin of f32 combines "redtune::Indexed<float>", max of f16 "redtune::HalfKey".
std::string device_accumulator(const Problem& problem);

/// The problem as device code names it: "redtune::Problem<redtune::Sum<float, float, float>, float, float, float>".
std::string device_problem(const Problem& problem);

/// The kernel that a candidate launches in a role.
KernelName kernel_name(const Family& family, const Problem& problem, const Candidate& candidate, KernelRole role);

}  // namespace redtune::jit
