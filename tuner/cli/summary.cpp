#include "tuner/cli/summary.h"

#include <fmt/format.h>

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
    for (const db::StoredMeasurement& stored : store.measurements(device, problem, n, regime, std::nullopt)) {
        if (stored.configuration.family != classic_family || stored.measurement.status != Status::ok) continue;
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
                  {"grid"},
                  {"time_us", 2},
                  {"gb_per_s", 0},
                  {"peak_percent", 1},
                  {"floor_us", 2, never},
                  {"classic_us", 2, never},
                  {"speedup_over_classic", 2}});
}

void add_summary(Table& table, const db::Store& store, const std::vector<Family>& families, const DeviceInfo& device,
                 const Problem& problem, const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes) {
    for (const Regime regime : regimes) {
        for (const std::uint64_t n : sizes) {
            const auto winner = store.winner(device, problem, n, regime, problem.determinism);
            if (!winner) continue;
            const Measurement& measurement = winner->measurement.measurement;
            const Configuration& configuration = winner->measurement.configuration;
            const double gb_per_s = static_cast<double>(bytes_read(problem, n)) / measurement.median_us * 1e-3;
            const double classic = classic_us(store, device, problem, n, regime);
            const auto known = [](double value, bool is_known) { return is_known ? Cell(value) : Cell(); };
            table.add({problem.op, std::string(to_string(problem.input)), shape_name(problem), format_size(n),
                       static_cast<std::int64_t>(n), std::string(to_string(regime)),
                       Abbreviated{to_string(configuration), brief_configuration(configuration, families)},
                       std::int64_t{winner->measurement.grid}, measurement.median_us, gb_per_s,
                       // A warm input is read from L2, so its bandwidth is not a share of the memory's peak.
                       known(100 * gb_per_s / device.peak_gb_per_s, regime != Regime::warm && device.peak_gb_per_s > 0),
                       measurement.floor_us, known(classic, classic > 0),
                       known(classic / measurement.median_us, classic > 0)});
        }
    }
}

}  // namespace redtune::cli
