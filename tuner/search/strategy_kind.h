#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::search {

/// The strategies (strategy.h).
enum class StrategyKind : std::uint8_t {
    exhaustive,    ///< exhaustive_strategy.h
    random,        ///< random_strategy.h
    local,         ///< local_strategy.h
    beam,          ///< beam_strategy.h
    evolutionary,  ///< evolutionary_strategy.h
    surrogate,     ///< surrogate_strategy.h
};

std::string_view strategy_name(StrategyKind kind) noexcept;

/// Returns the strategy of this name.
/// @throws InputError with the allowed names.
StrategyKind parse_strategy(std::string_view name);

/// Returns the names of all strategies.
std::vector<std::string> strategy_names();

/// Returns whether the choices of a strategy depend on its seed.
bool is_random(StrategyKind kind) noexcept;

}  // namespace redtune::search
