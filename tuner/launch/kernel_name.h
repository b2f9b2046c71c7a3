#pragma once

#include <string>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_request.h"

namespace redtune::launch {

/// Returns the C++ name of an element type in device code: "float" for f32.
std::string device_type(Type type);

/// Returns the C++ name of the type of the partial results that device code combines: "redtune::Indexed<float>" for
/// argmin of f32, "redtune::HalfKey" for max of f16.
std::string device_accumulator(const Problem& problem);

/// Returns the C++ name of a problem in device code: "redtune::Problem<redtune::Sum<float, float, float>, float, float,
/// float>".
std::string device_problem(const Problem& problem);

/// Returns the kernel that a configuration launches in a role. `family` must be the family that the request names.
/// @throws InputError if the request's parameters do not fit the family, see instantiation_of().
jit::KernelName kernel_name(const Family& family, const Problem& problem, const KernelRequest& request,
                            KernelRole role);

}  // namespace redtune::launch
