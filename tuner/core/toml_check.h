#pragma once

#include <optional>
#include <string_view>

namespace redtune {

/// A place where a text is not TOML.
struct TomlFlaw {
    int line = 0;              ///< index of the line, from 0
    std::string_view message;  ///< what is wrong and what is allowed
};

/// Returns the first flaw of a text for which toml++ 3.3 has undefined behaviour in place of an error: a line that
/// begins with '[' but has no name after it, a second '=' behind a key, a '{' in another place than that of a value, a
/// '}' in place of a value, after '[' or ',', a quote directly behind a value, and a space between a value and a digit,
/// which may join a date and a time. Control characters, which TOML forbids, and characters outside of comments that
/// are not ASCII are flaws, too: in some places toml++ reaches code that it declares unreachable; and so are characters
/// that TOML has in strings and comments only. Returns nullopt for all other texts, whether they are TOML or not.
std::optional<TomlFlaw> find_toml_flaw(std::string_view toml);

}  // namespace redtune
