#include "tuner/search/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace redtune::search {

namespace {

/// Number of trials that all_in_prior_order() puts between the prior and the rest.
constexpr std::size_t exhaustive_sample = 150;

}  // namespace

std::vector<std::size_t> stratified_sample(std::size_t count, std::size_t sample) {
    std::vector<std::size_t> indexes;
    if (count <= sample) {
        indexes.resize(count);
        std::iota(indexes.begin(), indexes.end(), 0);
        return indexes;
    }
    // The offsets within the parts are multiples of the golden ratio modulo 1. They have no period that could coincide
    // with the period at which the values of a parameter repeat.
    constexpr double golden = 0.6180339887498949;
    const double part = static_cast<double>(count) / static_cast<double>(sample);
    for (std::size_t i = 0; i < sample; ++i) {
        const double within = std::fmod(static_cast<double>(i + 1) * golden, 1.0);
        indexes.push_back(std::min(count - 1, static_cast<std::size_t>((static_cast<double>(i) + within) * part)));
    }
    indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
    return indexes;
}

std::vector<std::size_t> prior_and_sample(std::span<const Trial> trials, const Prior& prior,
                                          std::size_t most_from_prior, std::size_t sample) {
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto found = prior.find(to_string(trials[i].configuration));
        if (found != prior.end()) ranked.emplace_back(found->second, i);
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > most_from_prior) ranked.resize(most_from_prior);
    std::vector<std::size_t> chosen;
    std::set<std::size_t> seen;
    for (const auto& [ratio, i] : ranked) {
        chosen.push_back(i);
        seen.insert(i);
    }
    for (const std::size_t i : stratified_sample(trials.size(), sample)) {
        if (seen.insert(i).second) chosen.push_back(i);
    }
    // A family with few trials may have none in the sample of all trials, so each family adds a few of its own.
    for (std::size_t first = 0, end = 0; first < trials.size() && sample > 0; first = end) {
        while (end < trials.size() && trials[end].configuration.family == trials[first].configuration.family) ++end;
        for (const std::size_t i : stratified_sample(end - first, sample_of_family)) {
            if (seen.insert(first + i).second) chosen.push_back(first + i);
        }
    }
    return chosen;
}

std::vector<std::size_t> all_in_prior_order(std::span<const Trial> trials, const Prior& prior, double begin) {
    const std::vector<std::size_t> first = prior_and_sample(trials, prior, trials.size(), exhaustive_sample);
    std::vector<std::size_t> order;
    std::vector<std::size_t> sample;
    std::vector<std::size_t> rest;
    std::vector<bool> seen(trials.size());
    for (const std::size_t i : first) {
        seen[i] = true;
        (prior.contains(to_string(trials[i].configuration)) ? order : sample).push_back(i);
    }
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!seen[i]) rest.push_back(i);
    }
    for (const auto& part : {rotated<std::size_t>(sample, begin), rotated<std::size_t>(rest, begin)}) {
        order.insert(order.end(), part.begin(), part.end());
    }
    return order;
}

}  // namespace redtune::search
