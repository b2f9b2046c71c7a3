#pragma once

#include <cstdint>

namespace redtune::test {

/// Returns how often the calling thread has called operator new, apart from calls inside the simulated CUDA driver. The
/// program that links count_allocations.cpp has an operator new that counts.
std::uint64_t allocations() noexcept;

}  // namespace redtune::test
