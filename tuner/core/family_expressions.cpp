#include "tuner/core/family_expressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/core/expression_names.h"
#include "tuner/core/launch_values.h"
#include "tuner/core/nearest_name.h"

namespace redtune {

namespace {

/// Returns whether an SQL expression uses a name. `name` must be in lower case, because SQL ignores the case of names.
/// Text in quotes contains no names.
bool uses(const std::string& sql, std::string_view name) {
    bool in_quotes = false;
    std::string word;
    for (std::size_t i = 0; i <= sql.size(); ++i) {
        const char c = i < sql.size() ? sql[i] : ' ';
        if (c == '\'') in_quotes = !in_quotes;
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool is_part = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || lower == '_';
        if (is_part && !in_quotes) {
            word += lower;
            continue;
        }
        if (word == name) return true;
        word.clear();
    }
    return false;
}

/// Returns whether a later derived value or a condition uses the derived value of this index.
bool is_used_after(const Family& family, std::size_t derived) {
    const std::string& name = family.derived[derived].name;
    const auto uses_it = [&](const Expression& expression) { return uses(expression.sql, name); };
    const auto next = family.derived.begin() + static_cast<std::ptrdiff_t>(derived) + 1;
    return std::any_of(next, family.derived.end(), uses_it) ||
           std::any_of(family.where.begin(), family.where.end(), uses_it);
}

/// Throws InputError for a derived value that is probably misspelt. A derived value that redtune itself does not read
/// must be used by a later expression, and its name must differ from every name that redtune reads by more than one
/// typing error.
void check_derived_names(const Family& family, const FrontMatter& matter) {
    const std::vector<std::string> known = launch_value_names();
    for (std::size_t i = 0; i < family.derived.size(); ++i) {
        const Expression& derived = family.derived[i];
        if (find_launch_value(derived.name) != nullptr) continue;
        const auto is_nearly = [&](const std::string& name) { return edit_distance(derived.name, name) == 1; };
        const auto nearly = std::find_if(known.begin(), known.end(), is_nearly);
        if (is_used_after(family, i) && nearly == known.end()) continue;
        if (is_used_after(family, i)) {
            matter.blame(derived.line, fmt::format("'{}' looks like '{}' misspelt; did you mean '{}'? If it is a value "
                                                   "for other expressions, give it another name",
                                                   derived.name, *nearly, *nearly));
        }
        matter.blame(derived.line,
                     fmt::format("'{}' means nothing to redtune, and no later expression uses it; redtune reads {}{}",
                                 derived.name, fmt::join(known, ", "), did_you_mean(derived.name, known)));
    }
}

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
            // In the SQL of the parameter space, a derived value would hide the parameter of the same name.
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
    check_derived_names(family, matter);
}

}  // namespace redtune
