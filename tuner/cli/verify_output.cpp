#include "tuner/cli/verify_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/cli/brief_configuration.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

Cell configuration_cell(const Configuration& configuration, const std::vector<Family>& families) {
    return Abbreviated{to_string(configuration), brief_configuration(configuration, families)};
}

/// Returns a ratio of times; nothing if one of them is not known.
Cell ratio_cell(double numerator, double denominator) {
    return numerator > 0 && denominator > 0 ? Cell(numerator / denominator) : Cell();
}

std::vector<Cell> row(const VerifiedCell& cell, const std::vector<Family>& families) {
    const db::StoredWinner& winner = cell.stored.winner;
    const search::Verification& now = cell.verification;
    std::vector<Cell> cells = {winner.problem.op,
                               std::string(to_string(winner.problem.input)),
                               shape_name(winner.problem),
                               std::string(to_string(winner.regime)),
                               format_size(winner.n),
                               static_cast<std::int64_t>(winner.n),
                               configuration_cell(winner.measurement.configuration, families),
                               now.stored_us,
                               now.now_us > 0 ? Cell(now.now_us) : Cell(),
                               ratio_cell(now.now_us, now.stored_us)};
    if (now.best_now) {
        cells.push_back(configuration_cell(now.best_now->configuration, families));
        cells.emplace_back(100 * (1 - now.best_now->us / now.now_us));
    } else {
        cells.resize(cells.size() + 2);
    }
    cells.emplace_back(std::string(to_string(now.verdict)));
    cells.push_back(now.reasons.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(now.reasons, "; "))));
    if (cell.retuned) {
        cells.push_back(configuration_cell(cell.retuned->measurement.configuration, families));
        cells.emplace_back(cell.retuned->measurement.measurement.median_us);
    } else {
        cells.resize(cells.size() + 2);
    }
    return cells;
}

}  // namespace

Table verification_table(const std::vector<VerifiedCell>& cells, const std::vector<Family>& families) {
    constexpr Visibility if_varied = Visibility::if_varied;
    constexpr Visibility never = Visibility::never;
    const bool has_better =
        std::ranges::any_of(cells, [](const auto& each) { return each.verification.best_now.has_value(); });
    const bool has_reasons =
        std::ranges::any_of(cells, [](const auto& each) { return !each.verification.reasons.empty(); });
    const bool is_retuned = std::ranges::any_of(cells, [](const auto& each) { return each.retuned.has_value(); });
    const auto if_used = [](bool is_used) { return is_used ? Visibility::always : never; };
    // Tables have the better finalist in the column `why`.
    Table table({{"op", 0, if_varied},
                 {"dtype", 0, if_varied},
                 {"shape", 0, if_varied},
                 {"regime", 0, if_varied},
                 {"size"},
                 {"n", 0, never},
                 {"configuration"},
                 {"stored_us", 2},
                 {"now_us", 2},
                 {"ratio", 3},
                 {"best_now", 0, never},
                 {"faster_percent", 1, has_better ? Visibility::if_room : never},
                 {"verdict"},
                 {"why", 0, if_used(has_reasons)},
                 {"retuned", 0, if_used(is_retuned)},
                 {"retuned_us", 2, if_used(is_retuned)}});
    for (const VerifiedCell& cell : cells) table.add(row(cell, families));
    return table;
}

std::string count_verdicts(const std::vector<VerifiedCell>& cells) {
    using search::Verdict;
    std::vector<std::string> counts;
    for (const Verdict verdict :
         {Verdict::ok, Verdict::slower, Verdict::faster, Verdict::no_longer_best, Verdict::cannot_run}) {
        const auto count = std::ranges::count_if(
            cells, [&](const VerifiedCell& cell) { return cell.verification.verdict == verdict; });
        if (count != 0) counts.push_back(fmt::format("{} {}", count, to_string(verdict)));
    }
    return fmt::format("{} {}: {}", cells.size(), cells.size() == 1 ? "winner" : "winners", fmt::join(counts, ", "));
}

}  // namespace redtune::cli
