#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

/// A line of an export that cannot be imported.
struct RejectedLine {
    std::uint64_t number = 0;  ///< the first line is 1
    std::string reason;
};

/// The contents of an export.
struct ReadExport {
    Connection rows;                     ///< a temporary database with this version's schema
    std::vector<RejectedLine> rejected;  ///< the first rejected lines, at most as many as were asked for
    std::uint64_t rejected_count = 0;    ///< number of all rejected lines; if it is not 0, `rows` is incomplete
};

/// Reads an export (docs/database.md#export-and-import) line by line.
/// @param most_named the number of rejected lines that are returned with their reason
ReadExport read_export(std::istream& in, std::size_t most_named);

}  // namespace redtune::db
