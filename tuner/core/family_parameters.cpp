#include "tuner/core/family_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/core/expression_names.h"
#include "tuner/core/finish.h"
#include "tuner/core/named.h"

namespace redtune {

namespace {

/// Throws InputError at the node's line if a value of the parameter `finish` is not the name of a finish.
void check_finish(const Value& value, const toml::node& node, const FrontMatter& matter) {
    const std::vector<std::string> names = finish_names();
    const std::string name = to_string(value);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        matter.blame(node, unknown_name("finish", name, names));
    }
}

/// Reads the parameters of [compile] or [launch] and appends them to `family.parameters`.
void read_section(std::string_view section, bool compile, Family& family, const FrontMatter& matter) {
    const toml::node* node = matter.root().get(section);
    if (node == nullptr) return;
    if (!node->is_table()) matter.blame(*node, fmt::format("'{}' must be a table: [{}]", section, section));
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& list) {
        if (!is_identifier(name)) {
            matter.blame(list, fmt::format("'{}' cannot be a parameter's name: use a-z, 0-9 and _", name));
        }
        if (is_expression_name(name))
            matter.blame(list, fmt::format("'{}' has a meaning of its own in expressions", name));
        const auto taken = [&](const ParameterValues& other) { return other.name == name; };
        if (std::any_of(family.parameters.begin(), family.parameters.end(), taken)) {
            matter.blame(list, fmt::format("parameter '{}' is there twice", name));
        }
        if (!list.is_array() || list.as_array()->empty()) {
            matter.blame(list, fmt::format("'{}' must be a list of its values: {} = [64, 128]", name, name));
        }
        ParameterValues parameter{name, {}, compile, matter.line(list)};
        for (const toml::node& item : *list.as_array()) {
            parameter.values.push_back(read_value(item, name, compile, matter));
            if (name == finish_parameter) check_finish(parameter.values.back(), item, matter);
        }
        family.parameters.push_back(std::move(parameter));
    });
}

/// Reads the entries `parameter = value` of [defaults] into the family's parameters.
void read_defaults(const FrontMatter& matter, Family& family) {
    const toml::node* node = matter.root().get("defaults");
    if (node == nullptr) return;
    if (!node->is_table()) matter.blame(*node, "'defaults' must be a table: [defaults], parameter = value");
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& value) {
        const auto parameter = std::find_if(family.parameters.begin(), family.parameters.end(),
                                            [&](const ParameterValues& each) { return each.name == name; });
        if (parameter == family.parameters.end()) {
            std::vector<std::string> names;
            for (const ParameterValues& each : family.parameters) names.push_back(each.name);
            matter.blame(value, unknown_name("parameter", name, names));
        }
        parameter->default_value = read_value(value, name, parameter->compile, matter);
        const std::vector<Value>& values = parameter->values;
        if (std::find(values.begin(), values.end(), *parameter->default_value) == values.end()) {
            matter.blame(value, fmt::format("the default of '{}' must be one of its values", name));
        }
    });
}

}  // namespace

Value read_value(const toml::node& node, const std::string& name, bool compile, const FrontMatter& matter) {
    if (node.is_integer()) return node.as_integer()->get();
    if (node.is_floating_point() && !compile) return node.as_floating_point()->get();
    if (node.is_string() && compile && is_identifier(node.as_string()->get())) return node.as_string()->get();
    matter.blame(node, fmt::format("a value of '{}' must be {}", name,
                                   compile ? "a whole number or an enumerator's name in quotes (compile parameters are "
                                             "template arguments)"
                                           : "a number (launch parameters are numbers)"));
}

void read_parameters(const FrontMatter& matter, Family& family) {
    read_section("compile", true, family, matter);
    read_section("launch", false, family, matter);
    read_defaults(matter, family);
}

}  // namespace redtune
