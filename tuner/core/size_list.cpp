#include "tuner/core/size_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "redtune/error.h"

namespace redtune {

namespace {

struct Suffix {
    std::string_view text;
    int shift;
};
constexpr std::array suffixes = {Suffix{"Ti", 40}, Suffix{"Gi", 30}, Suffix{"Mi", 20}, Suffix{"Ki", 10}};

constexpr std::string_view one_size = "4096, 16Mi (suffixes Ki, Mi, Gi, Ti), 2^24, 1_000_000, 1e6";
constexpr std::string_view many_sizes =
    "4096, 16Mi (suffixes Ki, Mi, Gi, Ti), 2^24, 1_000_000, 1e6, 1Ki..1Gi (every power of two), 1Ki..1Gi:4 (four per "
    "octave), or a list with commas";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Returns "; did you mean 16Mi or 16e6?" for a number whose suffix is nearly right (16M, 16MiB, 16mi); else "".
std::string suggest_suffix(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view letters = text.substr(end);
    letters.remove_prefix(std::min(letters.find_first_not_of(' '), letters.size()));
    if (end == 0 || letters.empty()) return "";
    std::string unit;
    for (const char c : letters) unit += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const std::string_view number = text.substr(0, end);
    for (const Suffix& suffix : suffixes) {
        const char letter = static_cast<char>(suffix.text[0] - 'A' + 'a');
        if (unit[0] != letter) continue;
        const std::string rest = unit.substr(1);
        if (rest == "i" || rest == "ib") return fmt::format("; did you mean {}{}?", number, suffix.text);
        if (!rest.empty() && rest != "b") continue;
        constexpr int bits_of_thousand = 10;
        return fmt::format("; did you mean {0}{1} or {0}e{2}?", number, suffix.text,
                           suffix.shift / bits_of_thousand * 3);
    }
    return "";
}

[[noreturn]] void refuse(std::string_view text, std::string_view why, std::string_view allowed = many_sizes,
                         std::string_view suggestion = "") {
    throw InputError(fmt::format("'{}' is not a size: {}. Sizes are elements: {}{}", text, why, allowed, suggestion));
}

/// Returns the text without its underscores if each of them stands between two digits (1_000_000); else the text
/// itself.
std::string without_separators(std::string_view text) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            digits += text[i];
        } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
            return std::string(text);
        }
    }
    return digits;
}

/// The digits of a size, and the factor that its suffix or exponent stands for: 16Mi is 16 x 2^20, 1e6 is 1 x 10^6, and
/// 2^20 is 1 x 2^20.
struct ScaledNumber {
    std::string digits;
    std::uint64_t factor = 1;
};

/// Splits the suffix or the exponent off a number. The factor is 0 if it is beyond 2^63.
ScaledNumber split_scale(std::string text) {
    constexpr std::size_t most_exponent_digits = 2;
    constexpr std::string_view power_of_two = "2^";
    if (text.starts_with(power_of_two)) {
        const std::string exponent = text.substr(power_of_two.size());
        if (exponent.empty() || !std::all_of(exponent.begin(), exponent.end(), is_digit)) return {std::move(text), 1};
        constexpr int largest = 63;
        if (exponent.size() > most_exponent_digits || std::stoi(exponent) > largest) return {"1", 0};
        return {"1", std::uint64_t{1} << std::stoi(exponent)};
    }
    for (const Suffix& suffix : suffixes) {
        if (!text.ends_with(suffix.text)) continue;
        text.resize(text.size() - suffix.text.size());
        return {std::move(text), std::uint64_t{1} << suffix.shift};
    }
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string::npos || e + 1 == text.size() || text.find_first_not_of("0123456789", e + 1) != text.npos) {
        return {std::move(text), 1};
    }
    constexpr int most_exponent = 18;
    const std::string exponent = text.substr(e + 1);
    text.resize(e);
    if (exponent.size() > most_exponent_digits || std::stoi(exponent) > most_exponent) return {std::move(text), 0};
    std::uint64_t factor = 1;
    for (int i = 0; i < std::stoi(exponent); ++i) factor *= 10;
    return {std::move(text), factor};
}

/// Returns the size that the text of a single size stands for.
/// @param whole the text that an error message quotes
/// @param allowed the forms of a size that an error message lists
std::uint64_t parse_single_size(std::string_view text, std::string_view whole, std::string_view allowed) {
    const ScaledNumber scaled = split_scale(without_separators(text));
    const std::string& digits = scaled.digits;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    constexpr std::uint64_t largest = std::uint64_t{1} << 63;
    if (error == std::errc{} && end == digits.data() + digits.size() && scaled.factor != 0 &&
        value <= largest / scaled.factor) {
        return value * scaled.factor;
    }
    const bool is_number = !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
    if (is_number) refuse(whole, "it is beyond 2^63", allowed);
    refuse(whole, "it is not a whole number of elements", allowed, suggest_suffix(text));
}

/// Returns "; did you mean 1000000?" for digits in groups of three (1,000,000); else "; did you mean A or B?" with the
/// items of the list.
std::string suggest_item(std::string_view list) {
    std::string digits;
    std::string items;
    bool is_grouped = true;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t comma = std::min(list.find(',', begin), list.size());
        const std::string_view item = list.substr(begin, comma - begin);
        constexpr std::size_t group = 3;
        is_grouped = is_grouped && !item.empty() && std::all_of(item.begin(), item.end(), is_digit) &&
                     (begin == 0 ? item.size() <= group : item.size() == group);
        digits += item;
        if (!item.empty()) items += fmt::format("{}{}", items.empty() ? "" : " or ", item);
        begin = comma + 1;
    }
    return fmt::format("; did you mean {}?", is_grouped ? digits : items);
}

/// Appends the sizes of one item of a list: a single size or a range.
void parse_range(std::string_view item, std::vector<std::uint64_t>& sizes) {
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
        sizes.push_back(parse_single_size(item, item, many_sizes));
        return;
    }
    std::string_view last_text = item.substr(dots + 2);
    int per_octave = 1;
    if (const std::size_t colon = last_text.find(':'); colon != std::string_view::npos) {
        const std::string_view text = last_text.substr(colon + 1);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), per_octave);
        if (error != std::errc{} || end != text.data() + text.size() || per_octave < 1 || per_octave > 64) {
            refuse(item, "after ':' stands how many per octave, 1 to 64");
        }
        last_text = last_text.substr(0, colon);
    }
    const std::uint64_t first = parse_single_size(item.substr(0, dots), item, many_sizes);
    const std::uint64_t last = parse_single_size(last_text, item, many_sizes);
    if (first == 0) refuse(item, "a range cannot begin at 0");
    if (first > last) refuse(item, "it ends before it begins");
    for (int step = 0;; ++step) {
        const double size = std::round(static_cast<double>(first) * std::exp2(static_cast<double>(step) / per_octave));
        if (size > static_cast<double>(last)) break;
        sizes.push_back(static_cast<std::uint64_t>(size));
    }
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
        const std::string_view last = text.substr(dots + 2);
        refuse(text, "one size is wanted here, not a range", one_size,
               fmt::format("; did you mean {} or {}?", text.substr(0, dots), last.substr(0, last.find(':'))));
    }
    if (text.find(',') != std::string_view::npos) {
        refuse(text, "one size is wanted here, not a list", one_size, suggest_item(text));
    }
    return parse_single_size(text, text, one_size);
}

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
    std::vector<std::uint64_t> sizes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        parse_range(text.substr(begin, comma - begin), sizes);
        begin = comma + 1;
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string format_size(std::uint64_t n) {
    for (const Suffix& suffix : suffixes) {
        const std::uint64_t unit = std::uint64_t{1} << suffix.shift;
        if (n >= unit && n % unit == 0) return fmt::format("{}{}", n / unit, suffix.text);
    }
    return std::to_string(n);
}

}  // namespace redtune
