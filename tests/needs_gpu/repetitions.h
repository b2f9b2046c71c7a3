#pragma once

#include <cstdint>
#include <cstdlib>

#include "tuner/core/size_list.h"

namespace redtune::test_support {

/// The number of calls whose results are judged together.
inline constexpr std::uint64_t batch = 1000;

/// Returns the number of calls that a test makes: $REDTUNE_REPETITIONS if it is set, otherwise `usual_batches` batches.
inline std::uint64_t repetitions(std::uint64_t usual_batches) {
    const char* text = std::getenv("REDTUNE_REPETITIONS");
    return text != nullptr ? parse_size(text) : usual_batches * batch;
}

}  // namespace redtune::test_support
