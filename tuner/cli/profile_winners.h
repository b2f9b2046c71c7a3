#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tuner/search/self_test.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_progress.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::cli {

/// At most so many sizes are profiled, those whose winners take longest: ncu needs seconds for each.
inline constexpr std::size_t most_profiled_sizes = 8;

/// Profiles the first winners of a self-test with ncu (ncu.h), and stores their durations in SelfTestedSize::profiled.
/// If `stop` becomes true meanwhile, the test is interrupted.
/// @param task the GPU on which the self-test ran
/// @param request what was tested
/// @param folders where ncu is searched
/// @param show is called before each size
/// @return why durations are missing; empty if none is
std::string profile_winners(search::SelfTest& test, const search::WorkerTask& task, const search::SweepRequest& request,
                            const std::vector<std::filesystem::path>& folders,
                            const std::function<void(const search::SweepProgress&)>& show,
                            const std::atomic<bool>& stop);

}  // namespace redtune::cli
