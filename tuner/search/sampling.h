#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/trial.h"
#include "tuner/search/prior.h"

namespace redtune::search {

/// Returns `sample` of `count` indexes in ascending order, one from each of `sample` equal parts. The offsets within
/// the parts are irregular, because a regular step would hit the same parameter values again and again. Returns all
/// indexes if `count` is not larger than `sample`.
std::vector<std::size_t> stratified_sample(std::size_t count, std::size_t sample);

/// Returns the indexes of three groups of trials: at most `most_from_prior` trials of the prior, the best first; a
/// stratified sample of about `sample` of all trials; and a few trials of each family. Each index occurs once. Trials
/// of one family are next to each other.
std::vector<std::size_t> prior_and_sample(std::span<const Trial> trials, const Prior& prior,
                                          std::size_t most_from_prior, std::size_t sample);

/// Returns the indexes of all trials in an order that is likely to reach the best early, so that more of the others can
/// be stopped early.
std::vector<std::size_t> all_in_prior_order(std::span<const Trial> trials, const Prior& prior);

}  // namespace redtune::search
