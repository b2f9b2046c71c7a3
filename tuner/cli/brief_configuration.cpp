#include "tuner/cli/brief_configuration.h"

#include <algorithm>

namespace redtune::cli {

std::string brief_configuration(const Configuration& configuration, const std::vector<Family>& families) {
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const Family& each) { return each.name == configuration.family; });
    return family == families.end() ? to_string(configuration) : to_string_without_defaults(configuration, *family);
}

}  // namespace redtune::cli
