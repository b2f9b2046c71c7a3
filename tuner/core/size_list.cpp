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

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
    throw InputError(
        fmt::format("'{}' is not a size: {}. Sizes are elements: 4096, 16Mi (suffixes Ki, Mi, Gi, Ti), "
                    "1Ki..1Gi (every power of two), 1Ki..1Gi:4 (four per octave), or a list with commas",
                    text, why));
}

std::uint64_t parse_one(std::string_view text, std::string_view whole) {
    int shift = 0;
    std::string_view digits = text;
    for (const Suffix& suffix : suffixes) {
        if (digits.ends_with(suffix.text)) {
            shift = suffix.shift;
            digits.remove_suffix(suffix.text.size());
            break;
        }
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) refuse(whole, "it is beyond 2^63");
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
        refuse(whole, "it is not a whole number of elements");
    }
    if (value > (std::uint64_t{1} << 63) >> shift) refuse(whole, "it is beyond 2^63");
    return value << shift;
}

void parse_range(std::string_view item, std::vector<std::uint64_t>& sizes) {
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
        sizes.push_back(parse_one(item, item));
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
    const std::uint64_t first = parse_one(item.substr(0, dots), item);
    const std::uint64_t last = parse_one(last_text, item);
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
    return parse_one(text, text);
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
