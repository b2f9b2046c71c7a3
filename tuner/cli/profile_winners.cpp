#include "tuner/cli/profile_winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "redtune/error.h"
#include "tuner/cli/ncu.h"

namespace redtune::cli {

namespace {

/// ncu needs seconds for a size. It waits for another ncu that profiles on this machine, which may go on for hours.
constexpr std::chrono::minutes longest_profile{2};

/// Returns the sizes that have a winner and a time, the longest times first, at most most_profiled_sizes.
std::vector<search::SelfTestedSize*> sizes_to_profile(search::SelfTest& test) {
    std::vector<search::SelfTestedSize*> sizes;
    for (search::SelfTestedSize& size : test.sizes) {
        if (size.first && size.first_us > 0) sizes.push_back(&size);
    }
    std::ranges::stable_sort(sizes, [](const auto* a, const auto* b) { return a->first_us > b->first_us; });
    if (sizes.size() > most_profiled_sizes) sizes.resize(most_profiled_sizes);
    return sizes;
}

}  // namespace

std::string profile_winners(search::SelfTest& test, const search::WorkerTask& task, const search::SweepRequest& request,
                            const std::vector<std::filesystem::path>& folders,
                            const std::function<void(const search::SweepProgress&)>& show,
                            const std::atomic<bool>& stop) {
    if (const timing::Data& data = request.data.front(); !data.is_uniform()) {
        return fmt::format("under ncu a call reads uniform data, and this test had {}; take --data uniform", data.name);
    }
    const std::vector<search::SelfTestedSize*> sizes = sizes_to_profile(test);
    try {
        const std::filesystem::path ncu = find_ncu(folders);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            search::SelfTestedSize& size = *sizes[i];
            search::Cell cell;
            cell.n = size.n;
            cell.regime = request.regimes.front();
            search::SweepProgress now;
            now.cell = &cell;
            now.done = i + 1;
            now.total = sizes.size();
            now.best = "ncu profiles " + to_string(size.first->configuration);
            now.best_us = size.first_us;
            show(now);
            size.profiled = profile_call(ncu, task, *size.first, size.n, cell.regime, {&stop, longest_profile});
        }
    } catch (const search::Stopped&) {
        test.is_interrupted = true;
    } catch (const DeviceError& error) {
        return error.what();
    }
    return {};
}

}  // namespace redtune::cli
