#include "redtune/parameter.h"

#include <fmt/format.h>

#include <type_traits>

namespace redtune {

std::string to_string(const Value& value) {
    return std::visit(
        [](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
                return held;
            } else {
                return fmt::format("{}", held);
            }
        },
        value);
}

}  // namespace redtune
