#include "tuner/search/stored_trial.h"

#include <algorithm>

namespace redtune::search {

Trial stored_trial(const db::StoredMeasurement& stored, const std::vector<Family>& families) {
    const auto family = std::ranges::find(families, stored.configuration.family, &Family::name);
    Trial trial;
    trial.configuration = stored.configuration;
    trial.rule = stored.rule;
    trial.deterministic = stored.deterministic;
    trial.destructive = family != families.end() && family->destructive;
    return trial;
}

}  // namespace redtune::search
