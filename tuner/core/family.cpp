#include "tuner/core/family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

#include "redtune/error.h"

namespace redtune {

namespace {

constexpr std::string_view opening = "/*redtune";
constexpr std::array<std::string_view, 8> known_keys = {"family", "summary", "origin", "minimum_compute_capability",
                                                        "shapes", "compile", "launch", "derived"};

/// Names that expressions use for other things (see docs/architecture.md, "A family is one file").
const std::set<std::string, std::less<>> reserved = {
    "n",        "input_bytes", "accumulator_bytes",  "output_bytes",         "sm_count",
    "l2_bytes", "warp_size",   "max_threads_per_sm", "max_shared_per_block", "compute_capability"};

/// Turns positions of the front matter into positions of the file, and blames them.
class Blame {
  public:
    Blame(std::string path, int first_line) : path_(std::move(path)), first_line_(first_line) {}

    int line(const toml::node& node) const { return first_line_ + static_cast<int>(node.source().begin.line) - 1; }
    int first_line() const { return first_line_; }

    [[noreturn]] void at(int line, const std::string& message) const {
        throw InputError(fmt::format("{}:{}: {}", path_, line, message));
    }
    [[noreturn]] void at(const toml::node& node, const std::string& message) const { at(line(node), message); }
    int file_line(toml::source_index line) const { return first_line_ + static_cast<int>(line) - 1; }

  private:
    std::string path_;
    int first_line_;
};

std::string text_of(const toml::table& table, std::string_view key, const Blame& blame) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) blame.at(*node, fmt::format("'{}' must be a string", key));
    return node->as_string()->get();
}

bool is_identifier(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !name.empty() && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Tables of toml++ are sorted by name; people and templates want the file's own order.
template <class Visit>
void in_file_order(const toml::table& table, Visit visit) {
    std::vector<std::pair<std::string, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        const toml::source_position x = a.second->source().begin;
        const toml::source_position y = b.second->source().begin;
        return x.line != y.line ? x.line < y.line : x.column < y.column;
    });
    for (const auto& [key, node] : entries) visit(key, *node);
}

Value value_of(const toml::node& node, const std::string& name, bool compile, const Blame& blame) {
    if (node.is_integer()) return node.as_integer()->get();
    if (node.is_floating_point() && !compile) return node.as_floating_point()->get();
    if (node.is_string() && compile && is_identifier(node.as_string()->get())) return node.as_string()->get();
    blame.at(node, fmt::format("a value of '{}' must be {}", name,
                               compile ? "a whole number or an enumerator's name in quotes (compile parameters are "
                                         "template arguments)"
                                       : "a number (launch parameters are numbers)"));
}

void read_parameters(const toml::table& root, std::string_view section, bool compile, Family& family,
                     const Blame& blame) {
    const toml::node* node = root.get(section);
    if (node == nullptr) return;
    if (!node->is_table()) blame.at(*node, fmt::format("'{}' must be a table: [{}]", section, section));
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& list) {
        if (!is_identifier(name)) {
            blame.at(list, fmt::format("'{}' cannot be a parameter's name: use a-z, 0-9 and _", name));
        }
        if (reserved.contains(name)) blame.at(list, fmt::format("'{}' has a meaning of its own in expressions", name));
        const auto taken = [&](const ParameterValues& other) { return other.name == name; };
        if (std::any_of(family.parameters.begin(), family.parameters.end(), taken)) {
            blame.at(list, fmt::format("parameter '{}' is there twice", name));
        }
        if (!list.is_array() || list.as_array()->empty()) {
            blame.at(list, fmt::format("'{}' must be a list of its values: {} = [64, 128]", name, name));
        }
        ParameterValues parameter{name, {}, compile, blame.line(list)};
        for (const toml::node& item : *list.as_array())
            parameter.values.push_back(value_of(item, name, compile, blame));
        family.parameters.push_back(std::move(parameter));
    });
}

Expression expression_of(const std::string& name, const toml::node& node, const Blame& blame) {
    if (node.is_integer()) return {name, std::to_string(node.as_integer()->get()), blame.line(node)};
    if (!node.is_string()) blame.at(node, fmt::format("'{}' must be an SQL expression in quotes", name));
    return {name, node.as_string()->get(), blame.line(node)};
}

void read_derived(const toml::table& root, Family& family, const Blame& blame) {
    const toml::node* node = root.get("derived");
    if (node == nullptr || !node->is_table()) {
        blame.at(blame.first_line(),
                 "there is no [derived] table; it must give at least 'tile', the elements that a "
                 "block takes per step");
    }
    bool has_tile = false;
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& value) {
        if (name == "where") {
            if (!value.is_array()) blame.at(value, "'where' must be a list of SQL conditions in quotes");
            for (const toml::node& item : *value.as_array()) {
                family.where.push_back(expression_of("", item, blame));
            }
            return;
        }
        if (!is_identifier(name) || reserved.contains(name)) {
            blame.at(value, fmt::format("'{}' cannot be a derived value's name", name));
        }
        for (const ParameterValues& parameter : family.parameters) {
            // `block` and the like are parameters already; deriving them again would hide the parameter.
            if (parameter.name == name) blame.at(value, fmt::format("'{}' is a parameter already", name));
        }
        has_tile = has_tile || name == "tile";
        family.derived.push_back(expression_of(name, value, blame));
    });
    if (!has_tile) {
        blame.at(*node, "[derived] must give 'tile', the elements that a block takes per step");
    }
    const auto gives_block = [](const auto& entry) { return entry.name == "block"; };
    if (std::none_of(family.parameters.begin(), family.parameters.end(), gives_block) &&
        std::none_of(family.derived.begin(), family.derived.end(), gives_block)) {
        blame.at(*node, "nothing gives 'block', the threads of a block: make it a compile parameter or derive it");
    }
}

int read_compute_capability(const toml::table& root, const Blame& blame) {
    const std::string text = text_of(root, "minimum_compute_capability", blame);
    if (text.empty()) return 75;
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, major);
    const bool dotted = parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '.';
    if (dotted) parsed = std::from_chars(parsed.ptr + 1, end, minor);
    if (!dotted || parsed.ec != std::errc{} || parsed.ptr != end || minor > 9) {
        blame.at(*root.get("minimum_compute_capability"),
                 fmt::format("'{}' is not a compute capability; write it as \"7.5\"", text));
    }
    return major * 10 + minor;
}

}  // namespace

Family parse_family(const std::string& path, std::string text) {
    const std::size_t begin = text.find(opening);
    const std::size_t end = begin == std::string::npos ? begin : text.find("*/", begin);
    if (end == std::string::npos) {
        throw InputError(
            fmt::format("{}:1: a family begins with its front matter, a comment '{} ... */' of TOML", path, opening));
    }
    const std::size_t matter = begin + opening.size();
    const Blame blame(path,
                      1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(matter), '\n')));

    toml::table root;
    try {
        root = toml::parse(std::string_view(text).substr(matter, end - matter));
    } catch (const toml::parse_error& error) {
        blame.at(blame.file_line(error.source().begin.line), fmt::format("not TOML: {}", error.description()));
    }
    in_file_order(root, [&](const std::string& key, const toml::node& node) {
        if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
            blame.at(node, fmt::format("there is no key '{}'; allowed are {}", key, fmt::join(known_keys, ", ")));
        }
    });

    Family family;
    family.path = path;
    family.name = text_of(root, "family", blame);
    if (!is_identifier(family.name)) {
        blame.at(blame.first_line(), "'family' must name the kernel: family = \"my_family\", of a-z, 0-9 and _");
    }
    family.summary = text_of(root, "summary", blame);
    family.origin = text_of(root, "origin", blame);
    family.minimum_compute_capability = read_compute_capability(root, blame);
    family.shapes = {"whole"};
    if (const toml::node* shapes = root.get("shapes"); shapes != nullptr) {
        if (!shapes->is_array()) blame.at(*shapes, "'shapes' must be a list: [\"whole\"]");
        for (const toml::node& shape : *shapes->as_array()) {
            if (!shape.is_string() || shape.as_string()->get() != "whole") {
                blame.at(shape, "an unknown shape; allowed is \"whole\"");
            }
        }
    }
    read_parameters(root, "compile", true, family, blame);
    read_parameters(root, "launch", false, family, blame);
    read_derived(root, family, blame);
    family.source = std::move(text);
    return family;
}

}  // namespace redtune
