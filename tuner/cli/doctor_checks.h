#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

enum class CheckState : std::uint8_t { ok, warning, missing };

std::string_view check_state_name(CheckState state) noexcept;

/// The result of checking one component that redtune uses, for example the driver.
struct Check {
    std::string name;
    CheckState state = CheckState::ok;
    std::string found;                  ///< version or path of the component, or why it cannot be used
    std::string cost;                   ///< what does not work without the component; empty if the state is ok
    std::vector<std::string> remedies;  ///< alternative ways to fix the problem, each with its command
    bool for_launches = false;          ///< true: compiling and launching kernels needs the component
};

/// Checks whether kernels can be kept, by writing one small entry. Creates the cache's folder if it is missing.
Check cache_check();

/// Checks that the user's database can be read and written, or created. Changes nothing.
Check database_check();

/// Checks that every file of the shipped data can be opened and read.
Check shipped_data_check();

/// Returns the results of all checks in this order: NVIDIA driver, GPU, NVRTC, whether these fit together, NVML, kernel
/// cache, the user's database, the shipped data. Changes what cache_check() changes.
std::vector<Check> run_checks();

}  // namespace redtune::cli
