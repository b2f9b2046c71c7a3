#include "tests/support/database_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "db/connection.h"
#include "db/store.h"

namespace redtune::db {

namespace {

constexpr std::array tables = {"device", "device_unit", "toolchain",   "family",      "problem", "configuration",
                               "data",   "sweep",       "measurement", "unit_winner", "winner"};

}  // namespace

std::vector<std::string> all_rows(const std::filesystem::path& file) {
    const Connection connection = Connection::open(file, OpenMode::read_only);
    std::vector<std::string> lines;
    for (const char* table : tables) {
        Statement rows = connection.prepare(fmt::format("SELECT * FROM {} ORDER BY 1, 2", table));
        while (rows.step()) {
            std::string line = table;
            for (int i = 0; i < rows.columns(); ++i) line += '|' + (rows.is_null(i) ? "NULL" : rows.text(i));
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::vector<std::string> contents(const std::filesystem::path& file) {
    const Store store = Store::open(file, Access::read_only);
    std::vector<std::string> lines;
    for (const char* view : {"measurements", "winners", "unit_times", "sweeps"}) {
        Statement rows = store.connection().prepare(fmt::format("SELECT * FROM {}", view));
        while (rows.step()) {
            std::string line = view;
            for (int i = 0; i < rows.columns(); ++i) {
                const std::string name = rows.name(i);
                if (name != "measurement_id" && name != "sweep_id") line += '|' + rows.text(i);
            }
            lines.push_back(std::move(line));
        }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

}  // namespace redtune::db
