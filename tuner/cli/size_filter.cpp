#include "tuner/cli/size_filter.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "tuner/core/size_list.h"

namespace redtune::cli {

std::function<bool(std::uint64_t)> parse_size_filter(const std::string& text) {
    if (text.empty()) return [](std::uint64_t) { return true; };
    parse_sizes(text);  // refuses empty items, too
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        const std::vector<std::uint64_t> sizes = parse_sizes(item);
        const bool is_range = item.find("..") != std::string::npos && item.find(':') == std::string::npos;
        if (is_range) {
            // The doubled sizes may end before the end of the range.
            const std::uint64_t most = parse_sizes(item.substr(item.find("..") + 2)).front();
            ranges.emplace_back(sizes.front(), most);
        } else {
            for (const std::uint64_t n : sizes) ranges.emplace_back(n, n);
        }
    }
    return [ranges](std::uint64_t n) {
        return std::ranges::any_of(ranges, [n](const auto& range) { return range.first <= n && n <= range.second; });
    };
}

}  // namespace redtune::cli
