#include "tuner/emit/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/inspection.h"

namespace redtune::emit {

namespace {

bool is_of(const db::StoredWinner& winner, const Match& match) {
    const db::StoredMeasurement& measured = winner.measurement;
    return winner.n == match.tuned_n && measured.measurement.measured_at == match.measured_at &&
           measured.configuration.family == match.family && winner.device.name == match.device &&
           std::equal(measured.configuration.parameters.begin(), measured.configuration.parameters.end(),
                      match.parameters.begin(), match.parameters.end());
}

}  // namespace

ProvenanceFinder::ProvenanceFinder(const std::vector<db::Layer>& layers) {
    for (const db::Layer& layer : layers) {
        db::Store store = layer.open();
        std::vector<db::StoredWinner> winners = store.winners();
        databases_.push_back({std::move(store), std::move(winners)});
    }
}

std::optional<DeviceInfo> ProvenanceFinder::find_device(std::string_view name) const {
    std::optional<DeviceInfo> found;
    for (const Database& database : databases_) {
        for (DeviceInfo& device : database.store.devices()) {
            if (device.name == name && (!found || device.sm_count > found->sm_count)) found = std::move(device);
        }
    }
    return found;
}

void ProvenanceFinder::add(const Match& match, Provenance& provenance) const {
    const std::string at(match.measured_at);
    if (provenance.first_measured_at.empty() || at < provenance.first_measured_at) provenance.first_measured_at = at;
    provenance.last_measured_at = std::max(provenance.last_measured_at, at);
    for (const Database& database : databases_) {
        for (const db::StoredWinner& winner : database.winners) {
            if (!is_of(winner, match)) continue;
            const ToolchainInfo with = db::toolchain_of(database.store, winner.measurement.id);
            provenance.toolchains.insert(fmt::format("driver {}, NVRTC {}, redtune {}", with.driver_version,
                                                     with.nvrtc_version, with.redtune_version));
            provenance.sources.insert(winner.source);
            provenance.measured_code[std::string(match.family)].insert(winner.measurement.code_hash);
            return;
        }
    }
}

}  // namespace redtune::emit
