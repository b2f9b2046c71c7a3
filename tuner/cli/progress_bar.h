#pragma once

#include <cstddef>
#include <string>

namespace redtune::cli {

/// Returns a bar of `columns` characters, `done` of which (0 to 1) are full: in eighths of a character, or with
/// is_ascii as [####....].
std::string progress_bar(double done, std::size_t columns, bool is_ascii);

}  // namespace redtune::cli
