#include "tuner/lookup/staleness.h"

namespace redtune::lookup {

namespace {

bool differs(const std::string& now, const std::string& recorded) {
    return !now.empty() && now != recorded;
}

}  // namespace

StalenessTest::StalenessTest(const std::optional<Software>& software) {
    if (!software) return;
    driver_version_ = software->driver_version;
    nvrtc_version_ = software->nvrtc_version;
    for (const FamilyCode& each : software->families) code_hashes_[each.family] = each.code_hash;
}

Staleness StalenessTest::of(const TunedSize& tuned) const {
    Staleness stale;
    if (!code_hashes_.empty()) {
        const auto now = code_hashes_.find(tuned.configuration.family);
        stale.code = now == code_hashes_.end() || now->second != tuned.code_hash;
    }
    stale.driver = differs(driver_version_, tuned.toolchain.driver_version);
    stale.nvrtc = differs(nvrtc_version_, tuned.toolchain.nvrtc_version);
    return stale;
}

}  // namespace redtune::lookup
