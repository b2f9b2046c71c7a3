#include "tuner/core/configuration.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "redtune/error.h"

namespace redtune {

using Json = nlohmann::ordered_json;

namespace {

/// Returns a member of a launch rule; `by_default` if it has no such member.
/// @throws InputError if the member is not a whole number of this type. The library would convert any number.
template <class Integer>
Integer whole_number(const Json& object, const char* key, std::optional<Integer> by_default = std::nullopt) {
    if (by_default && !object.contains(key)) return *by_default;
    const Json& value = object.at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Integer>::max()) {
        throw InputError(
            fmt::format("a launch rule cannot be read: '{}' is {:.200}; allowed is a whole number from 0 to {}", key,
                        value.dump(), std::numeric_limits<Integer>::max()));
    }
    return value.get<Integer>();
}

}  // namespace

const Value* Configuration::find(std::string_view name) const {
    for (const Parameter& parameter : parameters) {
        if (parameter.name == name) return &parameter.value;
    }
    return nullptr;
}

std::string to_string(const Configuration& configuration) {
    std::string list;
    for (const Parameter& parameter : configuration.parameters) {
        list += fmt::format("{}{}={}", list.empty() ? "" : ", ", parameter.name, to_string(parameter.value));
    }
    return fmt::format("{}({})", configuration.family, list);
}

std::string to_json(const std::vector<Parameter>& parameters) {
    Json object = Json::object();
    for (const Parameter& parameter : parameters) {
        std::visit([&](const auto& value) { object[parameter.name] = value; }, parameter.value);
    }
    return object.dump();
}

std::vector<Parameter> parameters_from_json(std::string_view json) {
    const Json object = Json::parse(json, nullptr, false);
    if (!object.is_object()) throw InputError(fmt::format("parameters are not a JSON object: {}", json));
    std::vector<Parameter> parameters;
    for (const auto& [name, value] : object.items()) {
        if (value.is_string()) {
            parameters.push_back({name, value.get<std::string>()});
        } else if (value.is_number_integer()) {
            parameters.push_back({name, value.get<std::int64_t>()});
        } else if (value.is_number()) {
            parameters.push_back({name, value.get<double>()});
        } else {
            throw InputError(fmt::format("parameter '{}' is neither a number nor a string: {}", name, json));
        }
    }
    return parameters;
}

std::string to_json(const LaunchRule& rule) {
    Json object = {{"block", rule.block}, {"tile", rule.tile}, {"grid", to_string(rule.grid)}};
    if (rule.grid == GridRule::blocks_per_sm) {
        object["blocks_per_sm"] = rule.blocks_per_sm;
        object["sm_count"] = rule.sm_count;
    }
    if (rule.grid == GridRule::blocks) object["blocks"] = rule.blocks;
    if (rule.grid == GridRule::rows) {
        object["rows_per_block"] = rule.rows_per_block;
        object["blocks_per_row"] = rule.blocks_per_row;
    }
    if (rule.grid == GridRule::columns) {
        object["columns_per_block"] = rule.columns_per_block;
        object["parts"] = rule.parts;
    }
    if (rule.shared_bytes != 0) object["shared_bytes"] = rule.shared_bytes;
    if (rule.slot_bytes != 0) object["slot_bytes"] = rule.slot_bytes;
    if (rule.slots_zeroed) object["slots_zeroed"] = true;
    if (rule.cluster != 1) object["cluster"] = rule.cluster;
    if (rule.combine_block != 0) object["combine_block"] = rule.combine_block;
    if (rule.combine_pdl) object["combine_pdl"] = true;
    if (rule.pdl) object["pdl"] = true;
    if (rule.continuation != Continuation::none) object["then"] = to_string(rule.continuation);
    return object.dump();
}

LaunchRule launch_rule_from_json(std::string_view json) {
    try {
        const Json object = Json::parse(json);
        LaunchRule rule;
        rule.block = whole_number<std::uint32_t>(object, "block");
        rule.tile = whole_number<std::uint64_t>(object, "tile");
        rule.grid = parse_grid_rule(object.at("grid").get<std::string>());
        rule.blocks_per_sm = object.value("blocks_per_sm", 0.0);
        rule.sm_count = whole_number<std::uint32_t>(object, "sm_count", 0);
        rule.blocks = whole_number<std::uint32_t>(object, "blocks", 0);
        rule.rows_per_block = whole_number<std::uint32_t>(object, "rows_per_block", 1);
        rule.blocks_per_row = whole_number<std::uint32_t>(object, "blocks_per_row", 1);
        rule.columns_per_block = whole_number<std::uint32_t>(object, "columns_per_block", 1);
        rule.parts = whole_number<std::uint32_t>(object, "parts", 1);
        rule.shared_bytes = whole_number<std::uint32_t>(object, "shared_bytes", 0);
        rule.slot_bytes = whole_number<std::uint32_t>(object, "slot_bytes", 0);
        rule.slots_zeroed = object.value("slots_zeroed", false);
        rule.cluster = whole_number<std::uint32_t>(object, "cluster", 1);
        rule.combine_block = whole_number<std::uint32_t>(object, "combine_block", 0);
        rule.combine_pdl = object.value("combine_pdl", false);
        rule.pdl = object.value("pdl", false);
        rule.continuation = parse_continuation(object.value("then", "none"));
        return rule;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("a launch rule cannot be read: {}: {}", error.what(), json));
    }
}

}  // namespace redtune
