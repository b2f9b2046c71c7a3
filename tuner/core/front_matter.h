#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune {

/// The front matter of a device source: TOML in a comment, /*redtune ... */. It knows its line in the file, so that
/// errors name the line of the mistake.
class FrontMatter {
  public:
    /// @param kind of file, in the plural, for the message: "families"
    /// @throws InputError "path:line: ..." where there is none or it is not TOML.
    FrontMatter(std::string path, std::string_view text, std::string_view kind);

    const toml::table& root() const { return root_; }
    int first_line() const { return first_line_; }
    int line(const toml::node& node) const;

    /// Returns a string of the root table; empty where the key is missing.
    /// @throws InputError where the value is not a string
    std::string text(std::string_view key) const;

    /// @throws InputError for a key of the root table that is not in `known`
    void allow_only(std::span<const std::string_view> known) const;

    /// Throw InputError "path:line: message".
    [[noreturn]] void blame(int line, const std::string& message) const;
    [[noreturn]] void blame(const toml::node& node, const std::string& message) const;

  private:
    int file_line(toml::source_index line) const { return first_line_ + static_cast<int>(line) - 1; }

    std::string path_;
    int first_line_ = 1;
    toml::table root_;
};

/// Returns whether the name consists of a-z, 0-9 and _ and does not begin with a digit.
bool is_identifier(std::string_view name);

/// Calls visit(key, node) for a table's entries in the file's order; toml++ itself sorts them by name.
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

}  // namespace redtune
