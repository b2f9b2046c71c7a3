#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/trial.h"
#include "tuner/search/prior.h"

namespace redtune::search {

/// The sample of prior_and_sample() has at least this many trials of each family.
inline constexpr std::size_t sample_of_family = 2;

/// Returns about `sample` of the indexes 0 to `count` - 1 in ascending order, one from each of `sample` equal parts; an
/// index that two parts share occurs once. The offsets within the parts are irregular, because a regular step would hit
/// the same parameter values again and again. Returns all indexes if `count` is not larger than `sample`.
std::vector<std::size_t> stratified_sample(std::size_t count, std::size_t sample);

/// Returns the indexes of three groups of trials: at most `most_from_prior` trials of the prior, the best first; a
/// stratified sample of about `sample` of all trials; and, unless `sample` is 0, a few trials of each family. Each
/// index occurs once.
/// @param trials must list the trials of a family one after another
std::vector<std::size_t> prior_and_sample(std::span<const Trial> trials, const Prior& prior,
                                          std::size_t most_from_prior, std::size_t sample);

/// Returns the indexes of all trials: first those of the prior, the best first, then a sample, then the rest. The best
/// trials are thus likely to come early, so that more of the others are stopped early.
/// @param begin see rotated(), for the sample and for the rest
std::vector<std::size_t> all_in_prior_order(std::span<const Trial> trials, const Prior& prior, double begin = 0);

/// Returns the items from a part `begin` of the list on (0: the first one, 0.5: the middle one), then those before it.
template <typename Item>
std::vector<Item> rotated(std::span<const Item> items, double begin) {
    const auto middle = static_cast<std::ptrdiff_t>(begin * static_cast<double>(items.size()));
    std::vector<Item> result(items.begin() + middle, items.end());
    result.insert(result.end(), items.begin(), items.begin() + middle);
    return result;
}

}  // namespace redtune::search
