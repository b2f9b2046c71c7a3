#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.h"
#include "tuner/core/nearest_name.h"

namespace redtune {

/// An enumerator with its printed name. Each enumeration has one std::array of all its names; its to_string() calls
/// name_of(), and its parse function calls parse_named().
template <class Enum>
struct Named {
    std::string_view name;
    Enum value;
};

/// Returns the name of an enumerator; "unknown" for a value that is not in the table.
template <class Enum, std::size_t count>
constexpr std::string_view name_of(const std::array<Named<Enum>, count>& table, Enum value) noexcept {
    for (const Named<Enum>& entry : table) {
        if (entry.value == value) return entry.name;
    }
    return "unknown";
}

/// Returns all names, in the table's order.
template <class Enum, std::size_t count>
std::vector<std::string> names_of(const std::array<Named<Enum>, count>& table) {
    std::vector<std::string> names;
    for (const Named<Enum>& entry : table) names.emplace_back(entry.name);
    return names;
}

/// Returns an error message: "there is no regime 'cool'; allowed are cold, warm, back_to_back; did you mean 'cold'?".
/// @param what the kind of name that is wanted: "regime"
inline std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& allowed) {
    return fmt::format("there is no {} '{}'; allowed are {}{}", what, name, fmt::join(allowed, ", "),
                       did_you_mean(name, allowed));
}

/// Returns the enumerator whose printed name is `name`.
/// @throws InputError with the message of unknown_name() if no enumerator has this name
template <class Enum, std::size_t count>
Enum parse_named(const std::array<Named<Enum>, count>& table, std::string_view what, std::string_view name) {
    for (const Named<Enum>& entry : table) {
        if (entry.name == name) return entry.value;
    }
    throw InputError(unknown_name(what, name, names_of(table)));
}

}  // namespace redtune
