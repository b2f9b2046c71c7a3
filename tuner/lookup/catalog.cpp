#include "redtune/catalog.h"

#include <algorithm>
#include <utility>

#include "db/layer.h"
#include "db/location.h"
#include "db/store.h"
#include "tuner/lookup/snapshot.h"

namespace redtune {

struct Catalog::Snapshot {
    lookup::Snapshot winners;
};

Catalog::Catalog(std::unique_ptr<const Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

Catalog Catalog::open(const CatalogOptions& options) {
    std::vector<std::vector<db::StoredWinner>> winners;
    for (const db::Layer& layer : db::layers(options.user_database ? *options.user_database : db::user_database_path(),
                                             options.system_data ? *options.system_data : db::system_data_folder())) {
        winners.push_back(layer.open().winners());
    }
    return Catalog(std::make_unique<const Snapshot>(Snapshot{lookup::Snapshot(std::move(winners))}));
}

std::optional<Match> Catalog::find(const Problem& problem, std::uint64_t n, std::string_view device,
                                   Regime regime) const noexcept {
    const lookup::TunedSizes* tuned = snapshot_->winners.find(device, problem, regime);
    if (tuned == nullptr) return std::nullopt;
    std::optional<Match> found(std::in_place);
    Match& match = *found;
    const auto picked = lookup::pick(tuned->sizes, n, problem.row_length, match.plan);
    if (!picked) return std::nullopt;
    const lookup::TunedSize& winner = *picked->tuned;
    const double bytes = static_cast<double>(bytes_read(problem, n));
    match.kind = picked->kind;
    match.row_length = tuned->problem.row_length;
    // A size that was tuned for another row length is not an exact match.
    if (match.row_length != problem.row_length && match.kind == MatchKind::exact) match.kind = MatchKind::between;
    match.device = tuned->device;
    match.family = winner.configuration.family;
    match.parameters = winner.configuration.parameters;
    match.rule = &winner.rule;
    match.deterministic = winner.deterministic;
    match.tuned_n = winner.n;
    match.expected_us = picked->expected_us;
    match.gb_per_s = bytes / picked->expected_us / 1e3;
    match.measured_at = winner.measured_at;
    match.units = winner.units;
    match.spread = winner.spread;
    match.data = winner.data;
    return found;
}

std::vector<std::string> Catalog::devices() const {
    std::vector<std::string> names;
    for (const lookup::TunedSizes& tuned : snapshot_->winners.all()) {
        if (names.empty() || names.back() != tuned.device) names.push_back(tuned.device);
    }
    return names;
}

std::vector<Problem> Catalog::problems(std::string_view device) const {
    std::vector<Problem> problems;
    for (const lookup::TunedSizes& tuned : snapshot_->winners.all()) {
        if (tuned.device != device) continue;
        if (std::find(problems.begin(), problems.end(), tuned.problem) == problems.end()) {
            problems.push_back(tuned.problem);
        }
    }
    return problems;
}

std::vector<std::uint64_t> Catalog::tuned_sizes(const Problem& problem, std::string_view device, Regime regime) const {
    std::vector<std::uint64_t> sizes;
    const lookup::TunedSizes* tuned = snapshot_->winners.find(device, problem, regime);
    if (tuned != nullptr && tuned->problem.row_length == problem.row_length) {
        for (const lookup::TunedSize& size : tuned->sizes) sizes.push_back(size.n);
    }
    return sizes;
}

}  // namespace redtune
