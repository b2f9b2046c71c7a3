#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "db/store.h"

namespace redtune::db {

/// Writes a database with all sweeps, measurements and unit winners of several databases. Copies of the same sweep or
/// measurement become one row. The rows and their ids depend only on the contents of the files, not on their order, and
/// merging in steps gives the same database as merging at once.
///
/// Files of an older version are upgraded in memory; no input is changed. The output file gets its name when it is
/// complete.
/// @param choose_winners fills the table `winner`, which is derived from the others
/// @param replace true: an existing output is copied to OUTPUT.bak-merge-1 (-2, ...) and replaced. It may be an input.
/// @throws InputError if the output exists and `replace` is false
/// @throws DatabaseError if an input cannot be read, or if an existing output is not a redtune database
void merge(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output, bool replace,
           const std::function<void(Store&)>& choose_winners);

/// Adds to a database all sweeps, measurements and unit winners of other databases, in one transaction. Sweeps
/// and measurements of the target keep their ids. Merging the same inputs again changes nothing. A target that does not
/// exist is created.
/// @param choose_winners fills the table `winner`, which is derived from the others
/// @throws DatabaseError if a file cannot be read or written; the target is then as it was
void merge_into(std::span<const std::filesystem::path> inputs, const std::filesystem::path& target,
                const std::function<void(Store&)>& choose_winners);

}  // namespace redtune::db
