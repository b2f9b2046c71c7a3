#include "tuner/cli/self_test.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/progress_line.h"
#include "tuner/cli/self_test_output.h"
#include "tuner/search/self_test.h"

namespace redtune::cli {

namespace {

/// A folder for temporary files, which the destructor removes.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string path = (std::filesystem::temp_directory_path() / "redtune-self-test-XXXXXX").string();
        if (mkdtemp(path.data()) == nullptr) {
            throw Error(fmt::format("cannot make a folder {}; set TMPDIR to a folder that can be written", path));
        }
        path_ = path;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    db::Store make_store(const char* name, const std::vector<Family>& families) const {
        db::Store store = db::Store::open(path_ / name, db::Access::read_write);
        store.complete_configurations(families);
        return store;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

int self_test(const search::SweepRequest& request, const std::vector<std::unique_ptr<search::Executor>>& executors,
              const std::vector<std::string>& labels, const std::vector<Family>& families, int races, Table& table,
              const std::atomic<bool>& stop) {
    int exit_code = done;
    std::string verdicts;
    for (std::size_t i = 0; i < executors.size() && exit_code != interrupted; ++i) {
        const ScratchFolder folder;
        db::Store first = folder.make_store("first.db", families);
        db::Store second = folder.make_store("second.db", families);
        search::SelfTest test;
        {
            ProgressLine line;
            test = search::run_self_test(
                *executors[i], first, second, families, request, races,
                [&](const search::SweepProgress& progress) { line.show(progress); }, stop);
        }
        add_self_test(table, labels[i], request.problem, test, families);
        if (test.is_interrupted) {
            verdicts += fmt::format(
                "Interrupted: {} is not tested to the end, so there is no verdict. The same command begins anew.\n",
                labels[i]);
            exit_code = interrupted;
            continue;
        }
        verdicts += judge(labels[i], test, db::is_replay(executors[i]->source()));
        if (!test.flaws().empty()) exit_code = drifted;
    }
    fmt::print(stderr, "{}", verdicts);
    return exit_code;
}

}  // namespace redtune::cli
