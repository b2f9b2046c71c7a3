#include "compare/find_winner.h"

#include <fmt/format.h>

#include "redtune/size.h"
#include "tuner/report/problem_as_options.h"

namespace redtune::compare {

std::optional<Match> find_winner(const Catalog& catalog, const Problem& problem, std::uint64_t n, Regime regime,
                                 std::string_view device, std::string& not_tuned) {
    const auto match = catalog.find(problem, n, device, regime);
    if (!match) {
        not_tuned = fmt::format("not tuned; `redtune tune {} --size {} --regime {}` does that",
                                report::as_options(problem), format_size(n), to_string(regime));
    }
    return match;
}

}  // namespace redtune::compare
