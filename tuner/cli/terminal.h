#pragma once

#include <cstddef>

namespace redtune::cli {

/// Returns the number of columns for a line of a table on this file descriptor: the width of the terminal, but at least
/// 80 and at most 120; 100 if the descriptor is no terminal. $COLUMNS is used if the terminal does not report its
/// width.
std::size_t table_columns(int descriptor);

/// Returns the number of columns of the terminal on this file descriptor; 80 if neither the terminal nor $COLUMNS
/// tells.
std::size_t terminal_columns(int descriptor);

/// Returns whether the locale in the environment is one of UTF-8, so that text may have characters that are not ASCII.
bool has_utf8();

/// Returns whether a line on this file descriptor can be rewritten: it is a terminal, and $TERM is not "dumb".
bool can_rewrite_lines(int descriptor);

}  // namespace redtune::cli
