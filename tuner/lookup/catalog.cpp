#include "redtune/catalog.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "db/layer.h"
#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/lookup/fill_match.h"
#include "tuner/lookup/make_selector.h"
#include "tuner/lookup/selector_content.h"
#include "tuner/lookup/snapshot.h"

namespace redtune {

/// The snapshots of a catalog. Readers load `current`; all else needs `mutex`.
struct Catalog::Impl {
    std::filesystem::path user_database;
    std::filesystem::path system_data;
    bool reads_user_winners_on_demand = false;
    std::optional<Problem> only_problem;
    std::atomic<const lookup::Snapshot*> current = nullptr;
    std::mutex mutex;
    /// Every snapshot that was ever current, because matches refer to them.
    std::vector<std::unique_ptr<const lookup::Snapshot>> snapshots;
    /// The content of every selector that was made, because matches refer to it, and the snapshot that it is from.
    std::vector<std::pair<const lookup::Snapshot*, std::shared_ptr<const Selector::Content>>> selectors;

    const lookup::Snapshot& snapshot() const noexcept { return *current.load(std::memory_order_acquire); }

    /// Returns the content of an earlier selector for the same arguments; null if there is none.
    std::shared_ptr<const Selector::Content> find_selector(const lookup::Snapshot& from, const Problem& problem,
                                                           const DeviceInfo& device, const SelectOptions& options) {
        const std::lock_guard lock(mutex);
        for (const auto& [snapshot, content] : selectors) {
            if (snapshot == &from && content->serves(problem, device, options)) return content;
        }
        return nullptr;
    }

    void read_files() {
        std::vector<std::vector<lookup::LayerWinners>> layers;
        for (const db::Layer& layer : db::layers(user_database, system_data)) layers.push_back(read_layer(layer));
        auto read = std::unique_ptr<const lookup::Snapshot>(
            new lookup::Snapshot(lookup::Snapshot::read_on_demand(std::move(layers))));
        const std::lock_guard lock(mutex);
        snapshots.push_back(std::move(read));
        current.store(snapshots.back().get(), std::memory_order_release);
    }

    /// Returns the winners of a layer. Unless it may be read on demand, a file that may change is read at once, so that
    /// the catalog has its winners as they are now.
    std::vector<lookup::LayerWinners> read_layer(const db::Layer& layer) const {
        const auto store = std::make_shared<const db::Store>(layer.open());
        if (layer.access == db::Access::immutable || reads_user_winners_on_demand)
            return lookup::winners_on_demand(store, only_problem);
        return lookup::group_winners(store->winners());
    }
};

Catalog::Catalog(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

Catalog Catalog::open(const CatalogOptions& options) {
    auto impl = std::make_unique<Impl>();
    impl->user_database = options.user_database ? *options.user_database : db::user_database_path();
    impl->system_data = options.system_data ? *options.system_data : db::system_data_folder();
    impl->reads_user_winners_on_demand = options.read_user_winners_on_demand;
    impl->only_problem = options.only_problem;
    impl->read_files();
    return Catalog(std::move(impl));
}

void Catalog::reload() {
    impl_->read_files();
}

Selector Catalog::select(const Problem& problem, const DeviceInfo& device, const SelectOptions& options) const {
    if (device.name.empty() || device.compute_major == 0 || device.sm_count == 0) {
        throw InputError(
            "a device needs at least a name, a compute capability and a number of SMs; Catalog::find_device() returns "
            "the description of a tuned or well-known device");
    }
    const lookup::Snapshot& snapshot = impl_->snapshot();
    if (!options.occupancy) {
        if (auto content = impl_->find_selector(snapshot, problem, device, options))
            return Selector(std::move(content));
    }
    auto content = lookup::make_selector(snapshot, problem, device, options);
    const std::lock_guard lock(impl_->mutex);
    impl_->selectors.emplace_back(&snapshot, content);
    return Selector(std::move(content));
}

std::optional<DeviceInfo> Catalog::find_device(std::string_view name) const {
    const DeviceInfo* found = nullptr;
    for (const lookup::Subject& tuned : impl_->snapshot().all()) {
        const bool is_larger = found == nullptr || tuned.device.sm_count > found->sm_count;
        if (tuned.device.name == name && is_larger) found = &tuned.device;
    }
    return found != nullptr ? *found : find_well_known_device(name);
}

std::optional<Match> Catalog::find(const Problem& problem, std::uint64_t n, std::string_view device,
                                   Regime regime) const noexcept try {
    const lookup::TunedSizes* tuned = impl_->snapshot().find(device, problem, regime);
    std::optional<Match> found;
    if (tuned == nullptr) return found;
    found.emplace();
    if (!lookup::fill_match(*tuned, MatchKind::exact, {problem, n, tuned->device.name}, *found)) found.reset();
    return found;
} catch (...) {
    return std::nullopt;  // prepare() throws the error
}

void Catalog::prepare(const Problem& problem, std::string_view device, Regime regime) const {
    impl_->snapshot().find(device, problem, regime);
}

std::vector<std::string> Catalog::devices() const {
    std::vector<std::string> names;
    for (const lookup::Subject& tuned : impl_->snapshot().all()) {
        if (names.empty() || names.back() != tuned.device.name) names.push_back(tuned.device.name);
    }
    return names;
}

std::vector<Problem> Catalog::problems(std::string_view device) const {
    std::vector<Problem> problems;
    for (const lookup::Subject& tuned : impl_->snapshot().all()) {
        if (tuned.device.name != device) continue;
        if (std::find(problems.begin(), problems.end(), tuned.problem) == problems.end()) {
            problems.push_back(tuned.problem);
        }
    }
    return problems;
}

std::vector<std::uint64_t> Catalog::tuned_sizes(const Problem& problem, std::string_view device, Regime regime) const {
    std::vector<std::uint64_t> sizes;
    const lookup::TunedSizes* tuned = impl_->snapshot().find(device, problem, regime);
    if (tuned != nullptr && shape_of(tuned->problem) == shape_of(problem)) {
        for (const lookup::TunedSize& size : tuned->sizes) sizes.push_back(size.n);
    }
    return sizes;
}

}  // namespace redtune
