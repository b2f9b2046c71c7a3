#pragma once

#include <span>
#include <string>
#include <vector>

#include "tuner/jit/source_set.h"

namespace redtune::emit {

/// Device sources as one text.
struct InlinedSources {
    std::string text;                          ///< every source once, after those that it includes
    std::vector<std::string> system_includes;  ///< "<cuda_fp16.h>": includes in angle brackets, in order of appearance
};

/// Joins sources and everything that they include. `#pragma once`, includes and front matter are left out; comments
/// stay. Macros that a source defines and does not undefine are undefined at the end. constexpr functions become
/// functions for host and device, and constants of namespaces become inline.
/// @throws InputError if a source includes a file that is not in `sources`
InlinedSources inline_sources(const jit::SourceSet& sources, std::span<const std::string> paths);

}  // namespace redtune::emit
