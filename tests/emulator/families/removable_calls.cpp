#include <charconv>
#include <cstdlib>
#include <cstring>
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

// Created before any kernel runs. The inline functions of std::string also exist as instrumented ones, in the objects
// of the kernels, and the linker may choose these: in a kernel the emulator would report their accesses as defects.
const SourceLine removed = removed_line();
const char* const removed_file = removed.file.c_str();
const std::size_t removed_file_size = removed.file.size();

}  // namespace

// removable_calls.h declares this function, but only device code can include that header. It uses no inline functions
// of the standard library.
bool is_removed(const char* file, int line) {
    if (line != removed.number) return false;
    const std::size_t size = std::strlen(file);
    return size >= removed_file_size &&
           std::memcmp(file + size - removed_file_size, removed_file, removed_file_size) == 0;
}

}  // namespace redtune::emulated
