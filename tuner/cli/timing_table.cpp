#include "tuner/cli/timing_table.h"

#include <optional>
#include <string>

namespace redtune::cli {

namespace {

using timing::Activity;

/// The rows of one sweep.
class TimingRows {
  public:
    TimingRows(Table& table, const Problem& problem, const search::SweepTiming& timing)
        : table_(table), problem_(problem), timing_(timing) {}

    /// Adds a row with a share of the time after the first kernel.
    void add(const char* gpu, const char* activity, double seconds, std::optional<std::size_t> count = std::nullopt) {
        const double all_s = timing_.after_first_kernel_s;
        add_row(gpu, activity, seconds, all_s > 0 ? Cell(100 * seconds / all_s) : Cell(), count);
    }
    void add(const char* gpu, const char* activity, Activity spent, std::optional<std::size_t> count = std::nullopt) {
        add(gpu, activity, timing_.spent[spent], count);
    }
    void add_without_share(const char* activity, double seconds) { add_row("", activity, seconds, Cell(), {}); }

  private:
    void add_row(const char* gpu, const char* activity, double seconds, Cell percent,
                 std::optional<std::size_t> count) {
        table_.add({problem_.op, std::string(to_string(problem_.input)), shape_name(problem_), std::string(gpu),
                    std::string(activity), count ? Cell(static_cast<std::int64_t>(*count)) : Cell(), seconds,
                    std::move(percent)});
    }

    Table& table_;
    const Problem& problem_;
    const search::SweepTiming& timing_;
};

}  // namespace

Table make_timing_table() {
    constexpr Visibility if_varied = Visibility::if_varied;
    return Table({{"op", 0, if_varied},
                  {"dtype", 0, if_varied},
                  {"shape", 0, if_varied},
                  {"gpu"},
                  {"activity"},
                  {"count"},
                  {"seconds", 3},
                  {"percent", 1}});
}

void add_timing(Table& table, const Problem& problem, const search::SweepTiming& timing) {
    const double all_s = timing.after_first_kernel_s;
    const double busy_s = timing.gpu_busy_s();
    const auto timed = [&](Stage stage) { return timing.timed_candidates[static_cast<std::size_t>(stage)]; };
    TimingRows rows(table, problem, timing);
    rows.add_without_share("before the first kernel", timing.before_first_kernel_s);
    rows.add("", "after the first kernel", all_s);
    rows.add("busy", "checks and timings", busy_s);
    rows.add("busy", "checks", Activity::check);
    rows.add("busy", "screening", Activity::screening, timed(Stage::screen));
    rows.add("busy", "survivors", Activity::survivor, timed(Stage::survivor));
    rows.add("busy", "finalists", Activity::finalist, timed(Stage::final));
    rows.add("idle", "all", all_s - busy_s);
    rows.add("idle", "compilation", Activity::compile, timing.compiled_kernels);
    rows.add("idle", "preparation", Activity::prepare);
    rows.add("idle", "database", Activity::database);
    rows.add("idle", "strategy and other", timing.other_s());
}

}  // namespace redtune::cli
