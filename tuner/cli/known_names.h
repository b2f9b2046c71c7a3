#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.h"
#include "tuner/core/nearest_name.h"

namespace redtune::cli {

/// Returns `name` after checking that it is one of the names in `known`.
/// @param what ends the message about any other name, which is its subject: "is not compared with CUB"
/// @throws InputError with the names of `known` if `name` is not one of them
template <class Known>
const std::string& known_name(const char* option, const std::string& name, const Known& known, std::string_view what) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return name;
    const std::vector<std::string> names(known.begin(), known.end());
    throw InputError(fmt::format("{} {} {}; allowed are {}{}", option, name, what, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
}

/// Returns read(item) for each item of `from`, in order and without repeats.
template <class From, class Read>
auto each_once(const std::vector<From>& from, const Read& read) {
    std::vector<std::decay_t<decltype(read(from.front()))>> items;
    for (const From& text : from) {
        const auto item = read(text);
        if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
    }
    return items;
}

}  // namespace redtune::cli
