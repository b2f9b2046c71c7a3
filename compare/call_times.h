#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "compare/session.h"
#include "redtune/catalog.h"
#include "redtune/reducer.h"
#include "tuner/launch/kernel_loader.h"

namespace redtune::compare {

/// What a call costs the thread that makes it, and how fast calls follow each other. Times are medians over rounds in
/// which the ways to call take turns, in microseconds.
struct CallTimes {
    std::uint64_t n = 0;                      ///< elements
    double launch_us = 0;                     ///< host time of the driver's launch calls alone, for the same kernels
    double own_workspace_us = 0;              ///< host time of Reducer::reduce() with a workspace of the caller
    double pool_us = 0;                       ///< host time of Reducer::reduce() with a workspace of the pool
    double cub_us = 0;                        ///< host time of the call of CUB
    double own_workspace_over_launch_us = 0;  ///< median of the differences of each round
    double pool_over_launch_us = 0;           ///< median of the differences of each round
    /// Time per call of many calls in one stream without a graph, until the last one is done: with the pool, and CUB.
    double redtune_in_a_row_us = 0;
    double cub_in_a_row_us = 0;
};

/// The time of the first call in a process, in milliseconds, in the order in which the steps happen.
struct FirstCall {
    double reducer_ms = 0;  ///< making the Reducer; a catalog that is open already is given to it
    double prepare_ms = 0;  ///< Reducer::prepare(n)
    double reduce_ms = 0;   ///< the call, until its result is there
};

/// Measures calls of one problem on whole arrays, cold winners, aligned input; all calls of one n read the same array.
class CallTimer {
  public:
    /// @param largest_n elements of the largest array
    CallTimer(const Problem& problem, std::uint64_t largest_n, const Catalog& catalog, jit::Compiler& compiler,
              std::span<const Family> families, Session& session);

    /// Returns the times of the reducer's first call, for n elements. Call it once, before run().
    FirstCall first_call(std::uint64_t n);
    CallTimes run(std::uint64_t n);

  private:
    Reducer& reducer();
    void reduce_with_pool(std::uint64_t n);

    Problem problem_;
    const Catalog& catalog_;
    Session& session_;
    launch::KernelLoader loader_;
    std::optional<Reducer> reducer_;
    gpu::DeviceBuffer input_;
    gpu::DeviceBuffer output_;
};

}  // namespace redtune::compare
