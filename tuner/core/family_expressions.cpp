#include "tuner/core/family_expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/core/expression_names.h"

namespace redtune {

namespace {

Expression expression_of(const std::string& name, const toml::node& node, const FrontMatter& matter) {
    if (node.is_integer()) return {name, std::to_string(node.as_integer()->get()), matter.line(node)};
    if (!node.is_string()) matter.blame(node, fmt::format("'{}' must be an SQL expression in quotes", name));
    return {name, node.as_string()->get(), matter.line(node)};
}

}  // namespace

void read_expressions(const FrontMatter& matter, Family& family) {
    const toml::node* node = matter.root().get("derived");
    if (node == nullptr || !node->is_table()) {
        matter.blame(matter.first_line(),
                     "there is no [derived] table; it must give at least 'tile', the elements that a "
                     "block takes per step");
    }
    bool has_tile = false;
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& value) {
        if (name == "where") {
            if (!value.is_array()) matter.blame(value, "'where' must be a list of SQL conditions in quotes");
            for (const toml::node& item : *value.as_array()) {
                family.where.push_back(expression_of("", item, matter));
            }
            return;
        }
        if (!is_identifier(name) || is_expression_name(name)) {
            matter.blame(value, fmt::format("'{}' cannot be a derived value's name", name));
        }
        for (const ParameterValues& parameter : family.parameters) {
            // `block` and the like are parameters already; deriving them again would hide the parameter.
            if (parameter.name == name) matter.blame(value, fmt::format("'{}' is a parameter already", name));
        }
        has_tile = has_tile || name == "tile";
        family.derived.push_back(expression_of(name, value, matter));
    });
    if (!has_tile) {
        matter.blame(*node, "[derived] must give 'tile', the elements that a block takes per step");
    }
    const auto gives_block = [](const auto& entry) { return entry.name == "block"; };
    if (std::none_of(family.parameters.begin(), family.parameters.end(), gives_block) &&
        std::none_of(family.derived.begin(), family.derived.end(), gives_block)) {
        matter.blame(*node, "nothing gives 'block', the threads of a block: make it a compile parameter or derive it");
    }
}

}  // namespace redtune
