#include "tuner/cli/architecture.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::cli {

int parse_architecture(const std::string& text) {
    std::string digits = text.starts_with("sm_") ? text.substr(3) : text;
    if (const std::size_t dot = digits.find('.'); dot != digits.npos) digits.erase(dot, 1);
    constexpr std::size_t fewest = 2;
    constexpr std::size_t most = 3;
    if (digits.size() < fewest || digits.size() > most || digits.find_first_not_of("0123456789") != digits.npos) {
        throw InputError(fmt::format("'{}' is no architecture; allowed are forms like sm_90, 90 and 9.0", text));
    }
    return std::stoi(digits);
}

std::string architecture_name(int compute_capability) {
    return fmt::format("sm_{}", compute_capability);
}

}  // namespace redtune::cli
