#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune {

/// The front matter of a device source: TOML in a comment /*redtune ... */. Errors name the line of the source file.
class FrontMatter {
  public:
    /// @param path the name of the source in error messages
    /// @param what what the source is, for error messages: "a file of families"
    /// @throws InputError "path:line: ..." if the source has no front matter or it is not valid TOML.
    FrontMatter(std::string path, std::string_view text, std::string_view what);

    const toml::table& root() const { return root_; }
    int first_line() const { return first_line_; }
    int line(const toml::node& node) const;

    /// Returns a string of the root table; empty if the key is missing.
    /// @throws InputError if the value is not a string
    std::string text(std::string_view key) const;

    /// Checks that the root table has no keys but `known`.
    /// @throws InputError if it has another key
    void allow_only(std::span<const std::string_view> known) const;

    /// Throws InputError "path:line: message".
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

/// Calls visit(key, node) for each entry of a table in the file's order. (toml++ iterates in the order of names.)
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
