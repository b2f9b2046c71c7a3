#include "tuner/core/family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

#include "tuner/core/front_matter.h"

namespace redtune {

namespace {

constexpr std::array<std::string_view, 10> known_keys = {
    "family",  "summary", "origin", "minimum_compute_capability", "shapes", "destructive", "variants",
    "compile", "launch",  "derived"};
constexpr std::array<std::string_view, 2> known_shapes = {"whole", "rows"};

/// Names that expressions use for other things (see docs/architecture.md, "A family is one file").
const std::set<std::string, std::less<>> reserved = {"n",
                                                     "row_length",
                                                     "rows",
                                                     "input_bytes",
                                                     "accumulator_bytes",
                                                     "output_bytes",
                                                     "arrays",
                                                     "exact",
                                                     "accumulator_is_input",
                                                     "adds",
                                                     "sm_count",
                                                     "l2_bytes",
                                                     "warp_size",
                                                     "max_threads_per_sm",
                                                     "max_shared_per_block",
                                                     "compute_capability"};

Value value_of(const toml::node& node, const std::string& name, bool compile, const FrontMatter& matter) {
    if (node.is_integer()) return node.as_integer()->get();
    if (node.is_floating_point() && !compile) return node.as_floating_point()->get();
    if (node.is_string() && compile && is_identifier(node.as_string()->get())) return node.as_string()->get();
    matter.blame(node, fmt::format("a value of '{}' must be {}", name,
                                   compile ? "a whole number or an enumerator's name in quotes (compile parameters are "
                                             "template arguments)"
                                           : "a number (launch parameters are numbers)"));
}

void read_parameters(const toml::table& root, std::string_view section, bool compile, Family& family,
                     const FrontMatter& matter) {
    const toml::node* node = root.get(section);
    if (node == nullptr) return;
    if (!node->is_table()) matter.blame(*node, fmt::format("'{}' must be a table: [{}]", section, section));
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& list) {
        if (!is_identifier(name)) {
            matter.blame(list, fmt::format("'{}' cannot be a parameter's name: use a-z, 0-9 and _", name));
        }
        if (reserved.contains(name))
            matter.blame(list, fmt::format("'{}' has a meaning of its own in expressions", name));
        const auto taken = [&](const ParameterValues& other) { return other.name == name; };
        if (std::any_of(family.parameters.begin(), family.parameters.end(), taken)) {
            matter.blame(list, fmt::format("parameter '{}' is there twice", name));
        }
        if (!list.is_array() || list.as_array()->empty()) {
            matter.blame(list, fmt::format("'{}' must be a list of its values: {} = [64, 128]", name, name));
        }
        ParameterValues parameter{name, {}, compile, matter.line(list)};
        for (const toml::node& item : *list.as_array())
            parameter.values.push_back(value_of(item, name, compile, matter));
        family.parameters.push_back(std::move(parameter));
    });
}

Expression expression_of(const std::string& name, const toml::node& node, const FrontMatter& matter) {
    if (node.is_integer()) return {name, std::to_string(node.as_integer()->get()), matter.line(node)};
    if (!node.is_string()) matter.blame(node, fmt::format("'{}' must be an SQL expression in quotes", name));
    return {name, node.as_string()->get(), matter.line(node)};
}

void read_derived(const toml::table& root, Family& family, const FrontMatter& matter) {
    const toml::node* node = root.get("derived");
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
        if (!is_identifier(name) || reserved.contains(name)) {
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

int read_compute_capability(const toml::table& root, const FrontMatter& matter) {
    const std::string text = matter.text("minimum_compute_capability");
    if (text.empty()) return 75;
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, major);
    const bool dotted = parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '.';
    if (dotted) parsed = std::from_chars(parsed.ptr + 1, end, minor);
    if (!dotted || parsed.ec != std::errc{} || parsed.ptr != end || minor > 9) {
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
            matter.blame(shape, fmt::format("an unknown shape; allowed are {}", fmt::join(known_shapes, ", ")));
        }
        shapes.push_back(text);
    }
    return shapes;
}

/// The family itself, or one for each entry of [variants]: NAME = { parameter = value }.
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
            const Value only = value_of(value, parameter->name, true, matter);
            if (std::find(parameter->values.begin(), parameter->values.end(), only) == parameter->values.end()) {
                matter.blame(value,
                             fmt::format("variant '{}' gives '{}' a value that is not in its list", name, key.str()));
            }
            parameter->values = {only};
        }
        variants.push_back(std::move(variant));
    });
    return variants;
}

}  // namespace

std::vector<Family> parse_families(const std::string& path, const std::string& text) {
    const FrontMatter matter(path, text, "families");
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
    if (const toml::node* destructive = root.get("destructive"); destructive != nullptr) {
        if (!destructive->is_boolean()) matter.blame(*destructive, "'destructive' must be true or false");
        family.destructive = destructive->as_boolean()->get();
    }
    read_parameters(root, "compile", true, family, matter);
    read_parameters(root, "launch", false, family, matter);
    read_derived(root, family, matter);
    family.source = text;
    return variants_of(root, family, matter);
}

}  // namespace redtune
