#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "tuner/core/family.h"
#include "tuner/core/family_expressions.h"
#include "tuner/core/family_parameters.h"
#include "tuner/core/front_matter.h"
#include "tuner/core/named.h"

namespace redtune {

namespace {

constexpr std::array<std::string_view, 13> known_keys = {"family",
                                                         "summary",
                                                         "origin",
                                                         "minimum_compute_capability",
                                                         "shapes",
                                                         "destructive",
                                                         "grows_with_row_length",
                                                         "role",
                                                         "variants",
                                                         "compile",
                                                         "launch",
                                                         "defaults",
                                                         "derived"};
constexpr std::array<std::string_view, 3> known_shapes = {"whole", "rows", "columns"};
constexpr std::array<std::string_view, 4> role_keys = {"ladder", "step", "represents_redtune", "baseline"};
constexpr std::int64_t most_steps = 1000;

int read_compute_capability(const toml::table& root, const FrontMatter& matter) {
    const std::string text = matter.text("minimum_compute_capability");
    if (text.empty()) return 75;
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, major);
    const bool dotted = parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '.';
    if (dotted) parsed = std::from_chars(parsed.ptr + 1, end, minor);
    constexpr int most_major = 99;
    const bool is_in_range = major >= 0 && major <= most_major && minor >= 0 && minor <= 9;
    if (!dotted || parsed.ec != std::errc{} || parsed.ptr != end || !is_in_range) {
        matter.blame(*root.get("minimum_compute_capability"),
                     fmt::format("'{}' is not a compute capability; write it as \"7.5\"", text));
    }
    return major * 10 + minor;
}

std::vector<std::string> read_shapes(const toml::table& root, const FrontMatter& matter) {
    const toml::node* node = root.get("shapes");
    if (node == nullptr) return {"whole"};
    if (!node->is_array() || node->as_array()->empty()) matter.blame(*node, "'shapes' must be a list: [\"whole\"]");
    std::vector<std::string> shapes;
    for (const toml::node& shape : *node->as_array()) {
        const std::string text = shape.is_string() ? shape.as_string()->get() : "";
        if (std::find(known_shapes.begin(), known_shapes.end(), text) == known_shapes.end()) {
            matter.blame(shape, unknown_name("shape", text, {known_shapes.begin(), known_shapes.end()}));
        }
        shapes.push_back(text);
    }
    return shapes;
}

bool read_flag(const toml::table& table, std::string_view key, const FrontMatter& matter) {
    const toml::node* flag = table.get(key);
    if (flag == nullptr) return false;
    if (!flag->is_boolean()) matter.blame(*flag, fmt::format("'{}' must be true or false", key));
    return flag->as_boolean()->get();
}

/// Returns the role that the table [role] describes; a role with the initial values if there is no [role].
FamilyRole read_role(const toml::table& root, const FrontMatter& matter) {
    FamilyRole role;
    const toml::node* node = root.get("role");
    if (node == nullptr) return role;
    if (!node->is_table()) matter.blame(*node, "'role' must be a table: [role], ladder = \"shared\", step = 1");
    const toml::table& table = *node->as_table();
    in_file_order(table, [&](const std::string& key, const toml::node& value) {
        if (std::find(role_keys.begin(), role_keys.end(), key) == role_keys.end()) {
            matter.blame(value, unknown_name("key of [role]", key, {role_keys.begin(), role_keys.end()}));
        }
    });
    role.represents_redtune = read_flag(table, "represents_redtune", matter);
    role.baseline = read_flag(table, "baseline", matter);
    const toml::node* ladder = table.get("ladder");
    const toml::node* step = table.get("step");
    if (ladder == nullptr && step == nullptr) return role;
    if (ladder == nullptr || step == nullptr) matter.blame(*node, "'ladder' and 'step' belong together: give both");
    role.ladder = ladder->value_or(std::string());
    if (!is_identifier(role.ladder)) matter.blame(*ladder, "'ladder' must name a set-up of `redtune ladder` in quotes");
    const std::int64_t number = step->is_integer() ? step->as_integer()->get() : 0;
    if (number < 1 || number > most_steps) {
        matter.blame(*step, fmt::format("'step' must be a whole number from 1 to {}", most_steps));
    }
    role.step = static_cast<std::uint32_t>(number);
    return role;
}

/// Returns the name of the parameter that is proportional to the row length; empty if the front matter names none.
std::string read_growing_parameter(const toml::table& root, const Family& family, const FrontMatter& matter) {
    std::string name = matter.text("grows_with_row_length");
    if (name.empty()) return name;
    const auto parameter = std::ranges::find(family.parameters, name, &ParameterValues::name);
    const bool is_number =
        parameter != family.parameters.end() && std::ranges::all_of(parameter->values, [](const Value& value) {
            return std::holds_alternative<std::int64_t>(value) && std::get<std::int64_t>(value) > 0;
        });
    if (!is_number) {
        matter.blame(*root.get("grows_with_row_length"),
                     fmt::format("'{}' is no parameter whose values are whole numbers of at least 1; name one that is "
                                 "proportional to the row length, such as the threads of a row",
                                 name));
    }
    return name;
}

/// Returns one family for each entry NAME = { parameter = value } of [variants]; without [variants], the family itself.
std::vector<Family> variants_of(const toml::table& root, const Family& family, const FrontMatter& matter) {
    const toml::node* node = root.get("variants");
    if (node == nullptr) return {family};
    if (!node->is_table() || node->as_table()->empty()) {
        matter.blame(*node, "'variants' must be a table of families: NAME = { parameter = value }");
    }
    std::vector<Family> variants;
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& fixed) {
        if (!is_identifier(name) || !fixed.is_table()) {
            matter.blame(fixed, fmt::format("variant '{}' must be NAME = {{ parameter = value }}", name));
        }
        Family variant = family;
        variant.name = name;
        for (const auto& [key, value] : *fixed.as_table()) {
            const auto parameter = std::find_if(variant.parameters.begin(), variant.parameters.end(),
                                                [name = key.str()](const auto& each) { return each.name == name; });
            if (parameter == variant.parameters.end() || !parameter->compile) {
                matter.blame(value,
                             fmt::format("variant '{}' fixes '{}', which is not a compile parameter", name, key.str()));
            }
            const Value only = read_value(value, parameter->name, true, matter);
            if (std::find(parameter->values.begin(), parameter->values.end(), only) == parameter->values.end()) {
                matter.blame(value,
                             fmt::format("variant '{}' gives '{}' a value that is not in its list", name, key.str()));
            }
            parameter->values = {only};
            if (parameter->default_value != only) parameter->default_value.reset();
        }
        // If the family is a step of a ladder, each variant is a step, numbered in the file's order.
        if (variant.role.step != 0) variant.role.step += static_cast<std::uint32_t>(variants.size());
        variants.push_back(std::move(variant));
    });
    return variants;
}

}  // namespace

std::vector<Family> parse_families(const std::string& path, const std::string& text) {
    const FrontMatter matter(path, text, "a file of families");
    const toml::table& root = matter.root();
    matter.allow_only(known_keys);

    Family family;
    family.path = path;
    family.name = matter.text("family");
    if (!is_identifier(family.name)) {
        matter.blame(matter.first_line(), "'family' must name the kernel: family = \"my_family\", of a-z, 0-9 and _");
    }
    family.kernel = family.name;
    family.summary = matter.text("summary");
    family.origin = matter.text("origin");
    family.minimum_compute_capability = read_compute_capability(root, matter);
    family.shapes = read_shapes(root, matter);
    family.destructive = read_flag(root, "destructive", matter);
    family.role = read_role(root, matter);
    read_parameters(matter, family);
    family.grows_with_row_length = read_growing_parameter(root, family, matter);
    read_expressions(matter, family);
    family.source = text;
    return variants_of(root, family, matter);
}

}  // namespace redtune
