#include "tuner/core/front_matter.h"

#include <fmt/format.h>

#include "tuner/core/named.h"
#include "tuner/core/toml_check.h"

namespace redtune {

namespace {

constexpr std::string_view opening = "/*redtune";

}  // namespace

FrontMatter::FrontMatter(std::string path, std::string_view text, std::string_view what) : path_(std::move(path)) {
    const std::size_t begin = text.find(opening);
    const std::size_t end = begin == std::string_view::npos ? begin : text.find("*/", begin);
    if (end == std::string_view::npos) {
        blame(1, fmt::format("{} begins with its front matter, a comment '{} ... */' of TOML", what, opening));
    }
    const std::size_t matter = begin + opening.size();
    first_line_ = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(matter), '\n'));
    const std::string_view toml = text.substr(matter, end - matter);
    if (const auto flaw = find_toml_flaw(toml)) {
        blame(first_line_ + flaw->line, fmt::format("not TOML: {}", flaw->message));
    }
    try {
        root_ = toml::parse(toml);
    } catch (const toml::parse_error& error) {
        blame(file_line(error.source().begin.line), fmt::format("not TOML: {}", error.description()));
    }
}

int FrontMatter::line(const toml::node& node) const {
    return file_line(node.source().begin.line);
}

std::string FrontMatter::text(std::string_view key) const {
    const toml::node* node = root_.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) blame(*node, fmt::format("'{}' must be a string", key));
    return node->as_string()->get();
}

void FrontMatter::allow_only(std::span<const std::string_view> known) const {
    in_file_order(root_, [&](const std::string& key, const toml::node& node) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            blame(node, unknown_name("key", key, {known.begin(), known.end()}));
        }
    });
}

void FrontMatter::blame(int line, const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}", path_, line, message));
}

void FrontMatter::blame(const toml::node& node, const std::string& message) const {
    blame(line(node), message);
}

bool is_identifier(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !name.empty() && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace redtune
