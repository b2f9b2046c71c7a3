#pragma once

#include <cstddef>

namespace redtune::cli {

/// Returns the columns that a line of a table for people may take on this file descriptor: those of the terminal, at
/// least 80 and at most 100; 100 where it is no terminal. $COLUMNS counts where the terminal does not tell its width.
std::size_t table_columns(int descriptor);

/// Returns the columns of the terminal on this file descriptor; 80 where neither it nor $COLUMNS tells.
std::size_t terminal_columns(int descriptor);

/// Returns whether a line on this file descriptor can be written over: it is a terminal, and $TERM is not "dumb".
bool can_rewrite_lines(int descriptor);

}  // namespace redtune::cli
