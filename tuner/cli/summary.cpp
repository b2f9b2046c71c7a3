#include "tuner/cli/summary.h"

#include <fmt/format.h>

#include <optional>

#include "tuner/cli/brief_configuration.h"
#include "tuner/core/size_list.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

namespace {

/// Returns the name of the family with the role `baseline`, with which winners are compared; an empty text if no family
/// has it.
std::string find_classic_family() {
    for (const Family& family : jit::SourceSet::load().families()) {
        if (family.role.baseline) return family.name;
    }
    return {};
}

/// Returns the best time of the classic family at this size in microseconds; 0 if it was not measured.
double classic_us(const db::Store& store, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                  Regime regime) {
    static const std::string classic_family = find_classic_family();
    double best = 0;
    for (const db::StoredMeasurement& stored :
         store.measurements(device, problem, n, regime, {.family = classic_family})) {
        if (stored.measurement.status != Status::ok) continue;
        if (best == 0 || stored.measurement.median_us < best) best = stored.measurement.median_us;
    }
    return best;
}

}  // namespace

Table make_summary() {
    constexpr Visibility if_varied = Visibility::if_varied;
    constexpr Visibility never = Visibility::never;
    return Table({{"op", 0, if_varied},
                  {"dtype", 0, if_varied},
                  {"shape", 0, if_varied},
                  {"size"},
                  {"n", 0, never},
                  {"regime", 0, if_varied},
                  {"configuration"},
                  {"grid", 0, never},
                  {"time_us", 2},
                  {"gb_per_s", 0},
                  {"peak_percent", 1},
                  {"floor_us", 2, never},
                  {"classic_us", 2, never},
                  {"speedup_over_classic", 2}});
}

std::vector<TunedCell> add_summary(Table& table, const db::Store& store, const std::vector<Family>& families,
                                   const DeviceInfo& device, const Problem& problem,
                                   const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes) {
    std::vector<TunedCell> cells;
    for (const Regime regime : regimes) {
        for (const std::uint64_t n : sizes) {
            const auto winner = store.winner(device, problem, n, regime, problem.determinism);
            if (!winner) continue;
            const Measurement& measurement = winner->measurement.measurement;
            const Configuration& configuration = winner->measurement.configuration;
            TunedCell cell{
                n, regime, static_cast<double>(bytes_read(problem, n)) / measurement.median_us * 1e-3, {}, {}};
            // A warm input is read from L2, so its bandwidth is not a share of the memory's peak.
            const bool has_peak = regime != Regime::warm && device.peak_gb_per_s > 0;
            if (has_peak) cell.peak_percent = 100 * cell.gb_per_s / device.peak_gb_per_s;
            const double classic = classic_us(store, device, problem, n, regime);
            if (classic > 0) cell.speedup = classic / measurement.median_us;
            const auto known = [](const std::optional<double>& value) { return value ? Cell(*value) : Cell(); };
            table.add({problem.op, std::string(to_string(problem.input)), shape_name(problem), format_size(n),
                       static_cast<std::int64_t>(n), std::string(to_string(regime)),
                       Abbreviated{to_string(configuration), brief_configuration(configuration, families)},
                       std::int64_t{winner->measurement.grid}, measurement.median_us, cell.gb_per_s,
                       known(cell.peak_percent), measurement.floor_us, classic > 0 ? Cell(classic) : Cell(),
                       known(cell.speedup)});
            cells.push_back(cell);
        }
    }
    return cells;
}

}  // namespace redtune::cli
