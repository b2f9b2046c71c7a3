#pragma once

#include <cstdint>
#include <string>

#include "tuner/lookup/selector_content.h"

namespace redtune::lookup {

/// Returns why no source of a selector has a configuration for n: one line for each rung, which gives
/// the number of configurations that each reason rules out.
std::string why_not(const Selector::Content& content, std::uint64_t n);

}  // namespace redtune::lookup
