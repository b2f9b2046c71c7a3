#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <utility>

namespace CLI {
class App;
}

namespace redtune::cli {

/// How much the program says on stderr besides errors and warnings.
enum class Verbosity : std::uint8_t { quiet, normal, verbose };

/// Sets the verbosity of this process, which is `normal` at first. Not thread-safe.
void choose_verbosity(Verbosity verbosity);
Verbosity verbosity();
/// Adds `--quiet` and `--verbose` to a command.
void add_verbosity_options(CLI::App& command);

/// Prints on stderr what is worth knowing, unless --quiet is given. Errors and warnings are printed with fmt::print
/// instead.
template <class... Arguments>
void note(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (verbosity() != Verbosity::quiet) fmt::print(stderr, text, std::forward<Arguments>(arguments)...);
}

/// Prints on stderr what only --verbose shows.
template <class... Arguments>
void detail(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (verbosity() == Verbosity::verbose) fmt::print(stderr, text, std::forward<Arguments>(arguments)...);
}

}  // namespace redtune::cli
