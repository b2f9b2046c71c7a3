#include "tuner/search/prior.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace redtune::search {

namespace {

double log_size(std::uint64_t n) {
    return std::log2(static_cast<double>(std::max<std::uint64_t>(1, n)));
}

}  // namespace

bool add_to_prior(Prior& prior, std::span<const db::StoredMeasurement> cell) {
    double best = 0;
    for (const db::StoredMeasurement& entry : cell) {
        if (entry.measurement.status != Status::ok) continue;
        if (best == 0 || entry.measurement.median_us < best) best = entry.measurement.median_us;
    }
    if (best == 0) return false;
    for (const db::StoredMeasurement& entry : cell) {
        const double ratio = entry.measurement.median_us / best;
        if (entry.measurement.status != Status::ok || ratio > prior_within) continue;
        double& least = prior.try_emplace(to_string(entry.configuration), ratio).first->second;
        least = std::min(least, ratio);
    }
    return true;
}

std::vector<CellKey> cells_by_distance(const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes,
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

std::vector<Problem> similar_problems(const std::vector<Problem>& problems, const Problem& problem) {
    const auto width = [](const Problem& one) { return size_of(one.input) * one.arrays; };
    const auto is_same = [&](const Problem& other) {
        Problem as_asked = other;
        as_asked.determinism = problem.determinism;
        return as_asked == problem;
    };
    std::vector<Problem> found;
    for (const Problem& other : problems) {
        const bool is_similar = other.op == problem.op || width(other) == width(problem);
        if (is_similar && shape_of(other) == shape_of(problem) && !is_same(other)) found.push_back(other);
    }
    std::stable_sort(found.begin(), found.end(), [&](const Problem& a, const Problem& b) {
        const auto differences = [&](const Problem& other) {
            return std::tuple(width(other) != width(problem), other.op != problem.op, other.input != problem.input);
        };
        return differences(a) < differences(b);
    });
    return found;
}

}  // namespace redtune::search
