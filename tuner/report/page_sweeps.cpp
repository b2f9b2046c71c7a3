#include <map>
#include <set>
#include <span>

#include "db/sweep_contents.h"
#include "tuner/report/column_table.h"
#include "tuner/report/page_tables.h"

namespace redtune::report {

namespace {

/// A cell with fewer configurations holds the finalists that were kept, not what was searched.
constexpr std::size_t least_configurations = 12;
/// Points of the curves through one sweep: more than a phone can show apart.
constexpr std::uint32_t most_states = 60;
/// Failures of one file. More would make the page large, because a reason may name the values of one measurement.
constexpr std::size_t most_failures = 1000;

/// Collects the tables of all files.
class SweepCollector {
  public:
    SweepCollector(const PageRequest& request, PageIndex& index) : request_(request), index_(index) {}

    /// @param label the name of the file on the page
    void add_file(const db::Layer& layer, const std::string& label, bool has_winners) {
        const db::Store store = layer.open();
        configurations_ = db::configurations(store);
        rows_.clear();
        for (const db::SweepSummary& sweep : db::sweep_summaries(store)) {
            if (!request_.filter.selects(sweep.device.name, sweep.problem)) continue;
            rows_[sweep.id] = sweeps_.size();
            add_sweep(sweep, label);
            add_cells(store, sweep.id);
            add_states(store, sweep.id);
        }
        add_failures(store);
        if (has_winners) add_units(store);
    }

    PageSweeps result() && {
        return {sweeps_.json(), std::move(cells_), states_.json(), failures_.json(), units_.json()};
    }

  private:
    void add_sweep(const db::SweepSummary& sweep, const std::string& label) {
        sweeps_.add({index_.devices.index_of(sweep.device), index_.problems.index_of(sweep.problem), label, sweep.id,
                     sweep.device.uuid, sweep.toolchain.redtune_version, sweep.toolchain.nvrtc_version,
                     sweep.toolchain.driver_version, sweep.started_at, sweep.seconds ? Json(*sweep.seconds) : Json(),
                     sweep.status, sweep.source, sweep.measurements, sweep.failures, sweep.rejected_samples,
                     sweep.throttled, sweep.command});
    }

    void add_cells(const db::Store& store, std::int64_t sweep) {
        for (const db::SweepCell& cell : db::sweep_cells(store, sweep)) {
            const std::set<std::int64_t> distinct(cell.configurations.begin(), cell.configurations.end());
            if (distinct.size() < least_configurations || !request_.filter.selects(cell.regime, cell.n)) continue;
            Json configurations = Json::array();
            for (const std::int64_t id : cell.configurations) configurations.push_back(configuration_index(id));
            Json times = Json::array();
            for (const double us : cell.times_us) times.push_back(rounded(us));
            cells_.push_back({{"sweep", rows_.at(sweep)},
                              {"regime", to_string(cell.regime)},
                              {"n", cell.n},
                              {"data", cell.data},
                              {"stages", cell.of_stage},
                              {"configurations", std::move(configurations)},
                              {"times_us", std::move(times)}});
        }
    }

    void add_states(const db::Store& store, std::int64_t sweep) {
        const auto known = [](const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(); };
        for (const db::SweepState& state : db::sweep_states(store, sweep, most_states)) {
            states_.add({rows_.at(sweep), state.second, known(state.least_sm_mhz), known(state.most_sm_mhz),
                         known(state.temperature_c), known(state.power_w)});
        }
    }

    void add_failures(const db::Store& store) {
        std::size_t added = 0;
        for (const db::SweepFailures& failures : db::sweep_failures(store)) {
            const auto row = rows_.find(failures.sweep);
            if (row == rows_.end()) continue;
            if (++added > most_failures) break;
            failures_.add({row->second, failures.family, failures.status, failures.reason, failures.count,
                           failures.least_n, failures.most_n, index_.configurations.index_of(failures.example),
                           failures.measurement});
        }
    }

    void add_units(const db::Store& store) {
        for (const db::UnitTime& time : db::unit_times(store)) {
            Problem problem = time.problem;
            problem.determinism = Determinism::any;
            const bool is_selected =
                request_.filter.selects(time.device.name, problem) && request_.filter.selects(time.regime, time.n);
            if (!is_selected) continue;
            units_.add({index_.devices.index_of(time.device), index_.problems.index_of(problem),
                        std::string(to_string(time.problem.determinism)), std::string(to_string(time.regime)), time.n,
                        time.device.uuid, rounded(time.us), rounded(time.ratio)});
        }
    }

    /// Returns the page's index of a configuration of the current file.
    std::size_t configuration_index(std::int64_t id) { return index_.configurations.index_of(configurations_.at(id)); }

    const PageRequest& request_;
    PageIndex& index_;
    std::map<std::int64_t, Configuration> configurations_;  ///< those of the current file
    std::map<std::int64_t, std::size_t> rows_;              ///< rows of the current file's sweeps by their ids
    ColumnTable sweeps_{{"device", "problem", "layer", "id", "unit", "redtune", "nvrtc", "driver", "started_at",
                         "seconds", "status", "source", "measurements", "failures", "rejected", "throttled",
                         "command"}};
    Json cells_ = Json::array();
    ColumnTable states_{{"sweep", "second", "least_sm_mhz", "most_sm_mhz", "temperature_c", "power_w"}};
    ColumnTable failures_{
        {"sweep", "family", "status", "reason", "count", "least_n", "most_n", "configuration", "measurement_id"}};
    ColumnTable units_{{"device", "problem", "determinism", "regime", "n", "unit", "time_us", "ratio"}};
};

}  // namespace

PageSweeps sweep_tables(const PageRequest& request, PageIndex& index) {
    SweepCollector collector(request, index);
    const std::vector<std::string> labels = labels_of_files(request);
    auto label = labels.begin();
    for (const db::Layer& layer : request.layers) collector.add_file(layer, *label++, true);
    for (const db::Layer& layer : request.recordings) collector.add_file(layer, *label++, false);
    return std::move(collector).result();
}

}  // namespace redtune::report
