#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

enum class CheckState : std::uint8_t { ok, warning, missing };

std::string_view to_string(CheckState state) noexcept;

/// The result of looking for one thing that redtune uses.
struct Check {
    std::string name;
    CheckState state = CheckState::ok;
    std::string found;                  ///< what is here, or why it cannot be used
    std::string cost;                   ///< what cannot be done because of it; empty if the state is ok
    std::vector<std::string> remedies;  ///< each of these helps; exact commands
    bool for_launches = false;          ///< without it no kernel can be compiled and launched on this machine
};

/// Checks in this order: NVIDIA driver, GPU, NVRTC, whether these fit together, NVML, kernel cache, the user's
/// database, the shipped data. Makes the cache's folder if it is missing, and changes nothing else.
std::vector<Check> run_checks();

}  // namespace redtune::cli
