#include "tuner/lookup/measured_regret.h"

#include "db/layer.h"

namespace redtune {

std::optional<db::MeasuredRegret> find_regret(const std::filesystem::path& user,
                                              const std::filesystem::path& system_data, const Problem& problem,
                                              Regime regime, const Match& match) {
    if (match.kind != MatchKind::between) return std::nullopt;
    Problem as_tuned = problem;
    as_tuned.row_length = match.row_length;
    as_tuned.columns = match.columns;
    for (const db::Layer& layer : db::layers(user, system_data)) {
        if (const auto regret = layer.open().regret(match.device, as_tuned, regime)) return regret;
    }
    return std::nullopt;
}

}  // namespace redtune
