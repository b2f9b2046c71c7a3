#pragma once

#include "compare/session.h"
#include "tuner/jit/compiler.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/timer.h"

namespace redtune::compare {

/// The inputs, support kernels and timer with which all subjects of one problem are timed.
struct BenchmarkContext {
    /// @param largest_n elements of the largest input, its offset included
    BenchmarkContext(jit::Compiler& compiler, const Problem& problem, std::uint64_t largest_n, Session& session)
        : kernels(compiler, problem, session.device().sm_count),
          inputs(kernels, problem, largest_n, session.stream()),
          timer(kernels, inputs, problem, session.device(), session.nvml(), session.stream()) {}

    timing::SupportKernels kernels;
    timing::Inputs inputs;
    timing::Timer timer;
};

}  // namespace redtune::compare
