#include "db/single_candidate.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace redtune::db {

namespace {

/// Returns the family, with the list of values of each parameter reduced to the value that this configuration has, or
/// else to the default value.
Family with_values_of(Family family, const Configuration& configuration) {
    for (ParameterValues& parameter : family.parameters) {
        const Value* value = configuration.find(parameter.name);
        if (value != nullptr) {
            parameter.values = {*value};
        } else if (parameter.default_value) {
            parameter.values = {*parameter.default_value};
        }
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

std::uint64_t most_rows(std::uint64_t unit) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    return std::min(most, std::numeric_limits<std::uint64_t>::max() / unit);
}

SingleCandidate::SingleCandidate(const Family& family, const DeviceInfo& device, const Problem& problem,
                                 const Configuration& configuration, Regime regime)
    : family_(with_values_of(family, configuration)),
      unit_(shape_of(problem).unit()),
      most_units_(most_rows(unit_)),
      space_(family_, device, problem, regime) {}

std::optional<Trial> SingleCandidate::at(std::uint64_t n) {
    std::vector<Candidate> found = space_.at(n);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

SizeRange SingleCandidate::range(std::uint64_t n) {
    const auto holds = [&](std::uint64_t units) { return at(units * unit_).has_value(); };
    SizeRange found{0, most_units_ * unit_};
    std::uint64_t good = n / unit_;
    for (std::uint64_t units = good / 2; good > 0; units /= 2) {
        if (!holds(units)) {
            found.least = last_that_holds(good, units, holds) * unit_;
            break;
        }
        good = units;
    }
    good = n / unit_;
    while (good < most_units_) {
        const std::uint64_t units = std::min(std::max<std::uint64_t>(1, good) * 2, most_units_);
        if (!holds(units)) {
            found.most = last_that_holds(good, units, holds) * unit_;
            break;
        }
        good = units;
    }
    return found;
}

std::optional<Trial> candidate_of(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  const Configuration& configuration, std::uint64_t n, Regime regime) {
    return SingleCandidate(family, device, problem, configuration, regime).at(n);
}

SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                          const Configuration& configuration, std::uint64_t n, Regime regime) {
    return SingleCandidate(family, device, problem, configuration, regime).range(n);
}

}  // namespace redtune::db
