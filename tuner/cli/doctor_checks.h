#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

enum class CheckState : std::uint8_t { ok, warning, missing };

std::string_view to_string(CheckState state) noexcept;

/// One thing that redtune can use.
struct Check {
    std::string name;
    CheckState state = CheckState::ok;
    std::string found;                  ///< what is here, or what was looked for in vain
    std::string cost;                   ///< what cannot be done because of it; empty where all is well
    std::vector<std::string> remedies;  ///< any one of these helps; with exact commands
    bool for_launches = false;          ///< without it nothing can be compiled and launched on this machine
};

/// NVIDIA driver, GPU, NVRTC, the match of these, NVML, kernel cache, database: in this order. Makes the cache's
/// folder where it is missing; changes nothing else.
std::vector<Check> run_checks();

}  // namespace redtune::cli
