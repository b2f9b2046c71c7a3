#include "tuner/search/effort.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::search {

Effort parse_effort(std::string_view name) {
    if (name == "quick") return Effort::quick;
    if (name == "exhaustive") return Effort::exhaustive;
    throw InputError(fmt::format("there is no effort '{}'; allowed are quick, exhaustive", name));
}

}  // namespace redtune::search
