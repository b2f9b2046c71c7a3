#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "tuner/core/configuration.h"
#include "tuner/core/family.h"
#include "tuner/core/json_object.h"

namespace redtune::report {

/// The distinct configurations that a page names, each with an index.
class PageConfigurations {
  public:
    /// @param families complete the configurations (see tuner/core/complete.h), and tell default values and roles
    explicit PageConfigurations(std::span<const Family> families) : families_(families) {}

    /// Returns the index of a configuration, which is added if it is new.
    std::size_t index_of(const Configuration& configuration);

    /// Returns {"kinds": [...], "rows": [[kind, value, ...], ...]}. A kind is a family with a list of parameters, their
    /// default values, and the family's role.
    Json json() const { return {{"kinds", kinds_}, {"rows", rows_}}; }

  private:
    std::size_t kind_of(const Configuration& configuration);

    std::span<const Family> families_;
    std::map<std::string, std::size_t> kind_indices_;
    std::map<std::string, std::size_t> indices_;
    Json kinds_ = Json::array();
    Json rows_ = Json::array();
};

}  // namespace redtune::report
