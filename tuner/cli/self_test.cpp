#include "tuner/cli/self_test.h"

#include <fmt/format.h>

#include <filesystem>

#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/ncu.h"
#include "tuner/cli/profile_winners.h"
#include "tuner/cli/progress_line.h"
#include "tuner/cli/scratch_folder.h"
#include "tuner/cli/self_test_output.h"
#include "tuner/search/self_test.h"

namespace redtune::cli {

namespace {

/// Returns a new store in a folder.
db::Store make_store(const ScratchFolder& folder, const char* name, const std::vector<Family>& families) {
    db::Store store = db::Store::open(folder.path() / name, db::Access::read_write);
    store.complete_configurations(families);
    return store;
}

/// Runs the self-test of one device. @param why_not_profiled set to why durations of ncu are missing; empty: none is
search::SelfTest test_device(const SelfTestedDevice& device, const search::SweepRequest& request,
                             const std::vector<Family>& families, int races, const std::atomic<bool>& stop,
                             std::string& why_not_profiled) {
    const ScratchFolder folder;
    db::Store first = make_store(folder, "first.db", families);
    db::Store second = make_store(folder, "second.db", families);
    ProgressLine line;
    const auto show = [&](const search::SweepProgress& progress) { line.show(progress); };
    search::SelfTest test = search::run_self_test(device.executor, first, second, families, request, races, show, stop);
    if (db::is_replay(device.executor.source())) {
        why_not_profiled = "a recording has none";
    } else if (!test.is_interrupted) {
        device.executor.finish();  // the program under ncu needs memory of the GPU
        why_not_profiled = profile_winners(test, device.task, request, ncu_folders(), show, stop);
    }
    return test;
}

}  // namespace

int self_test(const search::SweepRequest& request, const std::vector<SelfTestedDevice>& devices,
              const std::vector<Family>& families, int races, Table& table, const std::atomic<bool>& stop) {
    int exit_code = done;
    std::string verdicts;
    for (const SelfTestedDevice& device : devices) {
        std::string why_not_profiled;
        const search::SelfTest test = test_device(device, request, families, races, stop, why_not_profiled);
        add_self_test(table, device.label, request.problem, test, families);
        if (test.is_interrupted) {
            verdicts += fmt::format(
                "Interrupted: {} is not tested to the end, so there is no verdict. The same command begins anew.\n",
                device.label);
            exit_code = interrupted;
            break;
        }
        verdicts += judge(device.label, test, db::is_replay(device.executor.source()), why_not_profiled);
        if (!test.flaws().empty()) exit_code = drifted;
    }
    fmt::print(stderr, "{}", verdicts);
    return exit_code;
}

}  // namespace redtune::cli
