#include "tuner/search/single_candidate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "db/space.h"

namespace redtune::search {

namespace {

/// Upper limit of the search for the end of a range, in elements, or in rows if the problem has rows.
constexpr std::uint64_t most_units = std::uint64_t{1} << 40;

/// Returns the family, with the list of values of each parameter reduced to the value that this configuration has.
Family with_values_of(Family family, const Configuration& configuration) {
    for (ParameterValues& parameter : family.parameters) {
        if (const Value* value = configuration.find(parameter.name)) parameter.values = {*value};
    }
    return family;
}

/// Returns the number nearest to `bad` for which holds(number) is true, by bisection. holds(good) must be true and
/// holds(bad) false.
template <class Holds>
std::uint64_t last_that_holds(std::uint64_t good, std::uint64_t bad, const Holds& holds) {
    while (std::max(good, bad) - std::min(good, bad) > 1) {
        const std::uint64_t middle = std::min(good, bad) + (std::max(good, bad) - std::min(good, bad)) / 2;
        (holds(middle) ? good : bad) = middle;
    }
    return good;
}

}  // namespace

std::optional<Trial> candidate_of(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  const Configuration& configuration, std::uint64_t n, Regime regime) {
    std::vector<Candidate> found = db::candidates(with_values_of(family, configuration), device, problem, n, regime);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

db::SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                              const Configuration& configuration, std::uint64_t n, Regime regime) {
    const std::uint64_t unit = std::max<std::uint64_t>(1, problem.row_length);
    const auto holds = [&](std::uint64_t units) {
        return candidate_of(family, device, problem, configuration, units * unit, regime).has_value();
    };
    db::SizeRange range{0, most_units * unit};
    std::uint64_t good = n / unit;
    for (std::uint64_t units = good / 2; good > 0; units /= 2) {
        if (!holds(units)) {
            range.least = last_that_holds(good, units, holds) * unit;
            break;
        }
        good = units;
    }
    good = n / unit;
    for (std::uint64_t units = std::max<std::uint64_t>(1, good) * 2; good < most_units; units *= 2) {
        if (!holds(units)) {
            range.most = last_that_holds(good, units, holds) * unit;
            break;
        }
        good = units;
    }
    return range;
}

}  // namespace redtune::search
