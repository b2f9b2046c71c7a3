#pragma once

#include <span>
#include <string_view>

#include "tuner/core/family.h"

namespace redtune {

/// Returns the families of the templates/ that the library was built with, sorted by name. Their `code_hash` is empty.
/// The first call reads them; any thread may call.
std::span<const Family> built_in_families();

/// Returns the built-in family with this name; null if there is none.
const Family* find_built_in_family(std::string_view name);

}  // namespace redtune
