#include "tuner/search/screening.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "tuner/search/effort.h"

namespace redtune::search {

namespace {

double log_size(std::uint64_t n) {
    return std::log2(static_cast<double>(std::max<std::uint64_t>(1, n)));
}

/// Which of its values each parameter of a trial has.
std::vector<std::ptrdiff_t> places(const Trial& trial) {
    std::vector<std::ptrdiff_t> result;
    for (std::size_t i = 0; i < trial.candidate.configuration.parameters.size(); ++i) {
        const std::vector<Value>& values = trial.family->parameters[i].values;
        // As text: what the front matter calls 1.0 is 1 in a configuration.
        const std::string value = to_string(trial.candidate.configuration.parameters[i].value);
        const auto is_value = [&](const Value& one) { return to_string(one) == value; };
        result.push_back(std::find_if(values.begin(), values.end(), is_value) - values.begin());
    }
    return result;
}

/// The only parameter in which the two differ.
std::optional<std::size_t> only_difference(const std::vector<std::ptrdiff_t>& a, const std::vector<std::ptrdiff_t>& b) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

/// Whether the two differ in two parameters, of which one is a step higher and the other a step lower: as many bytes in
/// flight, or threads, in another way.
bool is_trade(const std::vector<std::ptrdiff_t>& a, const std::vector<std::ptrdiff_t>& b) {
    int up = 0;
    int down = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::abs(a[i] - b[i]) > 1) return false;
        up += b[i] > a[i];
        down += b[i] < a[i];
    }
    return up == 1 && down == 1;
}

/// The best `from`, and the best of each family that is nearly as good.
std::vector<std::size_t> centres(std::span<const Trial> trials, std::span<const double> standings, std::size_t from) {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (standings[i] > 0) best.push_back(i);
    }
    std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) { return standings[a] < standings[b]; });
    std::set<const Family*> families;
    std::vector<std::size_t> chosen;
    for (const std::size_t i : best) {
        const bool is_first = families.insert(trials[i].family).second;
        const bool is_near = standings[i] <= quick_family_within * standings[best.front()];
        if (chosen.size() < from || (is_first && is_near)) chosen.push_back(i);
    }
    return chosen;
}

}  // namespace

bool add_prior(Prior& prior, std::span<const db::StoredMeasurement> cell) {
    double best = 0;
    for (const db::StoredMeasurement& entry : cell) {
        if (entry.measurement.status != Status::ok) continue;
        if (best == 0 || entry.measurement.median_us < best) best = entry.measurement.median_us;
    }
    if (best == 0) return false;
    for (const db::StoredMeasurement& entry : cell) {
        const double ratio = entry.measurement.median_us / best;
        if (entry.measurement.status != Status::ok || ratio > quick_within) continue;
        double& least = prior.try_emplace(to_string(entry.configuration), ratio).first->second;
        least = std::min(least, ratio);
    }
    return true;
}

std::vector<CellKey> by_nearness(const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes,
                                 const CellKey& cell) {
    std::vector<CellKey> cells;
    for (const Regime regime : regimes) {
        for (const std::uint64_t n : sizes) {
            if (CellKey(n, regime) != cell) cells.emplace_back(n, regime);
        }
    }
    std::stable_sort(cells.begin(), cells.end(), [&](const CellKey& a, const CellKey& b) {
        const auto distance = [&](const CellKey& other) {
            return std::pair(other.second != cell.second, std::abs(log_size(other.first) - log_size(cell.first)));
        };
        return distance(a) < distance(b);
    });
    return cells;
}

std::vector<Problem> alike(const std::vector<Problem>& problems, const Problem& problem) {
    const auto width = [](const Problem& one) { return size_of(one.input) * one.arrays; };
    const auto is_same = [&](const Problem& other) {
        Problem as_asked = other;
        as_asked.determinism = problem.determinism;
        return as_asked == problem;
    };
    std::vector<Problem> found;
    for (const Problem& other : problems) {
        const bool is_alike = other.op == problem.op || width(other) == width(problem);
        if (is_alike && other.row_length == problem.row_length && !is_same(other)) found.push_back(other);
    }
    std::stable_sort(found.begin(), found.end(), [&](const Problem& a, const Problem& b) {
        const auto differences = [&](const Problem& other) {
            return std::tuple(width(other) != width(problem), other.op != problem.op, other.input != problem.input);
        };
        return differences(a) < differences(b);
    });
    return found;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t sample) {
    std::vector<std::size_t> places;
    if (count <= sample) {
        places.resize(count);
        std::iota(places.begin(), places.end(), 0);
        return places;
    }
    // One of each of `sample` equal parts; where in the part follows the golden ratio, which no parameter's period
    // does.
    constexpr double golden = 0.6180339887498949;
    const double part = static_cast<double>(count) / static_cast<double>(sample);
    for (std::size_t i = 0; i < sample; ++i) {
        const double within = std::fmod(static_cast<double>(i + 1) * golden, 1.0);
        places.push_back(std::min(count - 1, static_cast<std::size_t>((static_cast<double>(i) + within) * part)));
    }
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<std::size_t> promising_and_sample(std::span<const Trial> trials, const Prior& prior,
                                              std::size_t most_promising, std::size_t sample) {
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto found = prior.find(to_string(trials[i].candidate.configuration));
        if (found != prior.end()) ranked.emplace_back(found->second, i);
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > most_promising) ranked.resize(most_promising);
    std::vector<std::size_t> chosen;
    std::set<std::size_t> seen;
    for (const auto& [ratio, i] : ranked) {
        chosen.push_back(i);
        seen.insert(i);
    }
    for (const std::size_t i : spread(trials.size(), sample)) {
        if (seen.insert(i).second) chosen.push_back(i);
    }
    // Families with few candidates have their part, too.
    for (std::size_t first = 0, end = 0; first < trials.size() && sample > 0; first = end) {
        while (end < trials.size() && trials[end].family == trials[first].family) ++end;
        for (const std::size_t i : spread(end - first, quick_of_family)) {
            if (seen.insert(first + i).second) chosen.push_back(first + i);
        }
    }
    return chosen;
}

std::vector<std::size_t> all_by_prior(std::span<const Trial> trials, const Prior& prior) {
    std::vector<std::size_t> order = promising_and_sample(trials, prior, trials.size(), quick_anchor_sample);
    std::vector<bool> seen(trials.size());
    for (const std::size_t i : order) seen[i] = true;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!seen[i]) order.push_back(i);
    }
    return order;
}

std::vector<std::size_t> beside_the_best(std::span<const Trial> trials, std::span<const double> standings,
                                         std::size_t from) {
    const std::vector<std::size_t> best = centres(trials, standings, from);
    std::vector<std::vector<std::ptrdiff_t>> all_places;
    for (const Trial& trial : trials) all_places.push_back(places(trial));
    std::vector<std::size_t> chosen;
    std::vector<bool> is_chosen(trials.size());
    for (const std::size_t centre : best) {
        const std::vector<std::ptrdiff_t>& here = all_places[centre];
        // The nearest to either side of each parameter, open or not: what lies behind a slow one is not asked for.
        std::map<std::pair<std::size_t, bool>, std::pair<std::ptrdiff_t, std::size_t>> nearest;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (trials[i].family != trials[centre].family) continue;
            const auto parameter = only_difference(here, all_places[i]);
            if (!parameter) continue;
            const std::ptrdiff_t step = all_places[i][*parameter] - here[*parameter];
            const std::pair candidate(std::abs(step), i);
            const auto [place, is_new] = nearest.try_emplace({*parameter, step > 0}, candidate);
            if (!is_new) place->second = std::min(place->second, candidate);
        }
        const auto choose = [&](std::size_t i) {
            if (standings[i] != open || is_chosen[i]) return;
            is_chosen[i] = true;
            chosen.push_back(i);
        };
        for (const auto& [direction, neighbour] : nearest) choose(neighbour.second);
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (trials[i].family == trials[centre].family && is_trade(here, all_places[i])) choose(i);
        }
    }
    return chosen;
}

}  // namespace redtune::search
