#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune {

/// The TOML that a device source of ours begins with, in a comment: /*redtune ... */. It knows its place in the file,
/// to name lines that are wrong.
class FrontMatter {
  public:
    /// @param kind what the file is, for the message: "family"
    /// @throws InputError "path:line: ..." where there is none or it is not TOML.
    FrontMatter(std::string path, std::string_view text, std::string_view kind);

    const toml::table& root() const { return root_; }
    int first_line() const { return first_line_; }
    int line(const toml::node& node) const;

    /// A string of the root; empty where there is none.
    std::string text(std::string_view key) const;

    /// Refuses keys of the root that are not among the known.
    void allow_only(std::span<const std::string_view> known) const;

    [[noreturn]] void blame(int line, const std::string& message) const;
    [[noreturn]] void blame(const toml::node& node, const std::string& message) const;

  private:
    int file_line(toml::source_index line) const { return first_line_ + static_cast<int>(line) - 1; }

    std::string path_;
    int first_line_ = 1;
    toml::table root_;
};

/// a-z, 0-9 and _, not beginning with a digit.
bool is_identifier(std::string_view name);

/// Visits a table's entries in the file's order; toml++ sorts them by name.
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
