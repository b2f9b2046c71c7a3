#include "tuner/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "tuner/core/environment.h"

namespace redtune::cli {

namespace {

constexpr std::size_t fewest_table_columns = 80;
constexpr std::size_t most_table_columns = 120;
constexpr std::size_t table_columns_of_a_file = 100;
constexpr std::size_t usual_columns = 80;

}  // namespace

std::size_t terminal_columns(int descriptor) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const std::string given = environment_variable("COLUMNS").value_or("");
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), columns);
    return error == std::errc{} && end == given.data() + given.size() && columns > 0 ? columns : usual_columns;
}

std::size_t table_columns(int descriptor) {
    if (isatty(descriptor) != 1) return table_columns_of_a_file;
    return std::clamp(terminal_columns(descriptor), fewest_table_columns, most_table_columns);
}

bool has_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (const auto locale = environment_variable(name)) {
            return locale->find("UTF-8") != std::string::npos || locale->find("utf8") != std::string::npos;
        }
    }
    return false;
}

bool can_rewrite_lines(int descriptor) {
    return isatty(descriptor) == 1 && environment_variable("TERM") != "dumb";
}

}  // namespace redtune::cli
