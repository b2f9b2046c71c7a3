#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/trial.h"
#include "tuner/search/prior.h"

namespace redtune::search {

/// Returns `sample` of `count` indexes, ascending: one from each of `sample` equal parts, at irregular offsets, since a
/// regular step would meet the same parameter values again and again. All indexes where `count` is not larger.
std::vector<std::size_t> stratified_sample(std::size_t count, std::size_t sample);

/// Returns the indexes of the trials that are in the prior, the best first, at most `most_from_prior`; then a
/// stratified sample of about `sample` of all trials; then a few of each family. No index is there twice. Trials of one
/// family are next to each other.
std::vector<std::size_t> prior_and_sample(std::span<const Trial> trials, const Prior& prior,
                                          std::size_t most_from_prior, std::size_t sample);

/// Returns the indexes of all trials, in an order that is likely to meet the best early, so that more of the others can
/// be stopped early.
std::vector<std::size_t> all_in_prior_order(std::span<const Trial> trials, const Prior& prior);

}  // namespace redtune::search
