#include "db/import.h"

#include <fmt/format.h>

#include <optional>

#include "db/exchange_format.h"
#include "db/json_line.h"
#include "db/migration.h"
#include "db/row_importer.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

/// Returns the version of an export.
/// @param line the first line
/// @throws InputError if this program cannot read the export
int version_of(const std::string& line) {
    const Json object = parse_json_line(line);
    const auto format = object.find("format");
    if (format == object.end() || *format != exchange_format) {
        throw InputError(fmt::format("the first line has no \"format\": \"{}\"; `redtune db export` writes such files",
                                     exchange_format));
    }
    JsonObject header(object, "the first line");
    const auto version = header.whole_number<std::uint32_t>("version");
    const int newest = embedded_migrations().back().version;
    if (version > static_cast<std::uint32_t>(newest)) {
        throw InputError(
            fmt::format("the file was written by a newer redtune (version {}; this one reads up to {}); "
                        "update redtune",
                        version, newest));
    }
    if (version < first_exchanged_version) {
        throw InputError(
            fmt::format("there is no version {}; allowed are {} to {}", version, first_exchanged_version, newest));
    }
    return static_cast<int>(version);
}

/// Reads the lines of an export.
class ExportReader {
  public:
    ExportReader(std::istream& in, std::size_t most_named)
        : in_(in), most_named_(most_named), result_{Connection::temporary(), {}, 0} {}

    ReadExport read() {
        if (const std::optional<int> version = read_header()) {
            std::vector<Migration> migrations = embedded_migrations();
            migrations.resize(static_cast<std::size_t>(*version));
            migrate(result_.rows, {}, migrations);
            read_rows();
            migrate(result_.rows, {}, embedded_migrations());
        }
        return std::move(result_);
    }

  private:
    bool next_line() {
        ++number_;
        return read_json_line(in_, line_);
    }

    void reject(const std::string& reason) {
        if (result_.rejected.size() < most_named_) result_.rejected.push_back({number_, reason});
        ++result_.rejected_count;
    }

    std::optional<int> read_header() {
        if (!next_line()) {
            reject("the file is empty; `redtune db export` writes a file that can be imported");
            return std::nullopt;
        }
        try {
            return version_of(line_);
        } catch (const InputError& error) {
            reject(error.what());
            return std::nullopt;
        }
    }

    void read_rows() {
        RowImporter importer(result_.rows);
        Transaction transaction(result_.rows);
        bool is_complete = false;
        for (std::uint64_t rows = 0; next_line(); ++rows) {
            try {
                if (is_complete) throw InputError("it follows the last line, {\"rows\": ...}");
                is_complete = line_.starts_with(R"({"rows")");
                if (is_complete) {
                    check_count(rows);
                } else {
                    importer.insert(line_);
                }
            } catch (const Error& error) {
                reject(error.what());
            }
        }
        if (!is_complete) reject("the last line, {\"rows\": ...}, is missing; the file was cut off");
        transaction.commit();
    }

    void check_count(std::uint64_t rows) const {
        const auto expected = JsonObject(std::string_view(line_), "the last line").whole_number<std::uint64_t>("rows");
        if (expected == rows) return;
        throw InputError(fmt::format("the file has {} rows, but says that it has {}; lines are missing or were added",
                                     rows, expected));
    }

    std::istream& in_;
    std::size_t most_named_;
    ReadExport result_;
    std::string line_;
    std::uint64_t number_ = 0;
};

}  // namespace

ReadExport read_export(std::istream& in, std::size_t most_named) {
    return ExportReader(in, most_named).read();
}

}  // namespace redtune::db
