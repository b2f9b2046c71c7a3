#include "tuner/search/neighbours.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tuner/jit/source_set.h"

namespace redtune::search {

namespace {

using Coordinates = Neighbourhood::Coordinates;

Coordinates coordinates_of(const std::vector<Family>& families, const Trial& trial) {
    const Family& family = jit::find_family(families, trial.configuration.family);
    Coordinates result;
    for (std::size_t i = 0; i < trial.configuration.parameters.size(); ++i) {
        const std::vector<Value>& values = family.parameters[i].values;
        // Values are compared as text: the number 1.0 in the front matter is the integer 1 in a configuration.
        const std::string value = to_string(trial.configuration.parameters[i].value);
        const auto is_value = [&](const Value& one) { return to_string(one) == value; };
        result.push_back(std::find_if(values.begin(), values.end(), is_value) - values.begin());
    }
    return result;
}

/// Returns the index of the only parameter in which two trials differ; empty if they differ in none or in several.
std::optional<std::size_t> only_difference(const Coordinates& a, const Coordinates& b) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

/// Returns whether two trials differ in exactly two parameters, one of which is one step higher and the other one step
/// lower.
bool differ_by_opposite_steps(const Coordinates& a, const Coordinates& b) {
    int up = 0;
    int down = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::abs(a[i] - b[i]) > 1) return false;
        up += b[i] > a[i];
        down += b[i] < a[i];
    }
    return up == 1 && down == 1;
}

/// Returns the best `beam` trials, and the best trial of each family whose time is within family_within of the
/// best.
std::vector<std::size_t> beam_of(std::span<const Trial> trials, std::span<const double> standings, std::size_t beam) {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (standings[i] > 0) best.push_back(i);
    }
    std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) { return standings[a] < standings[b]; });
    std::set<std::string> families;
    std::vector<std::size_t> chosen;
    for (const std::size_t i : best) {
        const bool is_first = families.insert(trials[i].configuration.family).second;
        const bool is_near = standings[i] <= family_within * standings[best.front()];
        if (chosen.size() < beam || (is_first && is_near)) chosen.push_back(i);
    }
    return chosen;
}

}  // namespace

Neighbourhood::Neighbourhood(const std::vector<Family>& families, std::span<const Trial> trials) : trials_(trials) {
    for (const Trial& trial : trials) coordinates_.push_back(coordinates_of(families, trial));
}

std::vector<std::size_t> Neighbourhood::of(std::size_t trial) const {
    // The distance and the index of the nearest trial, for each parameter and direction. A trial further away in the
    // same direction is left out even if the nearest one has been screened: if the neighbour is slow, the trials
    // further away are expected to be slow too.
    std::map<std::pair<std::size_t, bool>, std::pair<std::ptrdiff_t, std::size_t>> nearest;
    std::vector<std::size_t> trades;
    const Coordinates& centre = coordinates_[trial];
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].configuration.family != trials_[trial].configuration.family) continue;
        if (differ_by_opposite_steps(centre, coordinates_[i])) trades.push_back(i);
        const auto parameter = only_difference(centre, coordinates_[i]);
        if (!parameter) continue;
        const std::ptrdiff_t step = coordinates_[i][*parameter] - centre[*parameter];
        const std::pair neighbour(std::abs(step), i);
        const auto [entry, is_new] = nearest.try_emplace({*parameter, step > 0}, neighbour);
        if (!is_new) entry->second = std::min(entry->second, neighbour);
    }
    std::vector<std::size_t> found;
    for (const auto& [direction, neighbour] : nearest) found.push_back(neighbour.second);
    found.insert(found.end(), trades.begin(), trades.end());
    return found;
}

std::vector<std::size_t> neighbours_of_best(const Neighbourhood& neighbourhood, std::span<const double> standings,
                                            std::size_t beam) {
    std::vector<std::size_t> chosen;
    std::vector<bool> is_chosen(standings.size());
    for (const std::size_t centre : beam_of(neighbourhood.trials(), standings, beam)) {
        for (const std::size_t i : neighbourhood.of(centre)) {
            if (standings[i] != unscreened || is_chosen[i]) continue;
            is_chosen[i] = true;
            chosen.push_back(i);
        }
    }
    return chosen;
}

}  // namespace redtune::search
