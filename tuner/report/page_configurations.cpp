#include "tuner/report/page_configurations.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "tuner/core/complete.h"
#include "tuner/report/compact_json.h"

namespace redtune::report {

namespace {

Json value_to_json(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

/// Returns the family's default values and role as members of a kind.
Json describe_family(const Family& family) {
    Json defaults = Json::object();
    for (const ParameterValues& parameter : family.parameters) {
        if (const Value* value = family.default_of(parameter.name)) defaults[parameter.name] = value_to_json(*value);
    }
    return {{"defaults", std::move(defaults)},
            {"ladder", family.role.ladder},
            {"step", family.role.step},
            {"classic", family.role.baseline}};
}

}  // namespace

std::size_t PageConfigurations::kind_of(const Configuration& configuration) {
    Json names = Json::array();
    for (const Parameter& parameter : configuration.parameters) names.push_back(parameter.name);
    const Json key = {configuration.family, names};
    const auto [found, is_new] = kind_indices_.emplace(compact(key), kinds_.size());
    if (is_new) {
        Json kind = {{"family", configuration.family}, {"parameters", std::move(names)}};
        const auto family = std::ranges::find(families_, configuration.family, &Family::name);
        if (family != families_.end()) kind.update(describe_family(*family));
        kinds_.push_back(std::move(kind));
    }
    return found->second;
}

std::size_t PageConfigurations::index_of(const Configuration& configuration) {
    const Configuration completed = complete(configuration, families_);
    Json row = {kind_of(completed)};
    for (const Parameter& parameter : completed.parameters) row.push_back(value_to_json(parameter.value));
    const auto [found, is_new] = indices_.emplace(compact(row), rows_.size());
    if (is_new) rows_.push_back(std::move(row));
    return found->second;
}

}  // namespace redtune::report
