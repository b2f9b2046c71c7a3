#include "tuner/emit/fill_in.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/error.h"
#include "tuner/core/embedded_files.h"

namespace redtune::emit {

std::string fill_in(std::string_view name, const Values& values) {
    const std::string path = fmt::format("tuner/emit/text/{}.in", name);
    const auto files = embedded_files();
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& each) { return each.path == path; });
    if (file == files.end()) throw Error(fmt::format("redtune was built without {}", path));
    std::string filled;
    std::string_view rest = file->text;
    for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
        const std::size_t end = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1);
        filled += rest.substr(0, at);
        if (end == std::string_view::npos || rest[end] != '@' || end == at + 1) {  // "@return" in a comment
            filled += '@';
            rest.remove_prefix(at + 1);
            continue;
        }
        const auto value = values.find(rest.substr(at + 1, end - at - 1));
        if (value == values.end())
            throw Error(fmt::format("{} has no value for {}", path, rest.substr(at, end + 1 - at)));
        filled += value->second;
        rest.remove_prefix(end + 1);
    }
    return filled.append(rest);
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace redtune::emit
