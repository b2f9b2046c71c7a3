#include "tuner/cli/wrap.h"

#include <algorithm>

namespace redtune::cli {

namespace {

std::string_view without_trailing_spaces(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string_view without_leading_spaces(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// Returns the parts of a text, split after every break character. The break character stays at the end of its part.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view breaks) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(breaks), text.size() - 1) + 1;
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return parts;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::string_view breaks) {
    std::vector<std::string> lines;
    std::string line;
    for (const std::string_view part : parts_of(text, breaks)) {
        const std::size_t width = display_width(line) + display_width(without_trailing_spaces(part));
        if (!line.empty() && width > columns) {
            lines.emplace_back(without_trailing_spaces(line));
            line.clear();
        }
        line += line.empty() && !lines.empty() ? without_leading_spaces(part) : part;
    }
    lines.emplace_back(without_trailing_spaces(line));
    return lines;
}

std::size_t narrowest_wrap(std::string_view text, std::string_view breaks) {
    std::size_t widest = 0;
    for (const std::string_view part : parts_of(text, breaks)) {
        widest = std::max(widest, display_width(without_trailing_spaces(part)));
    }
    return widest;
}

std::string wrap_after_label(std::string_view label, std::string_view text, std::size_t columns) {
    const std::size_t indent = display_width(label);
    const std::vector<std::string> lines = wrap(text, columns - std::min(columns, indent), " ");
    std::string wrapped = std::string(label) + lines.front();
    for (std::size_t i = 1; i < lines.size(); ++i) wrapped += '\n' + std::string(indent, ' ') + lines[i];
    return wrapped;
}

}  // namespace redtune::cli
