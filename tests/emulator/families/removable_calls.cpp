#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace redtune::emulated {

namespace {

struct SourceLine {
    std::string file;
    int number = 0;
};

SourceLine removed_line() {
    const char* text = std::getenv("REDTUNE_REMOVED_CALL");
    if (text == nullptr) return {};
    const std::string_view name = text;
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos) return {};
    SourceLine line{std::string(name.substr(0, colon)), 0};
    std::from_chars(name.data() + colon + 1, name.data() + name.size(), line.number);
    return line;
}

}  // namespace

// removable_calls.h declares this function, but only device code can include that header.
bool is_removed(const char* file, int line) {
    static const SourceLine removed = removed_line();
    return line == removed.number && std::string_view(file).ends_with(removed.file);
}

}  // namespace redtune::emulated
