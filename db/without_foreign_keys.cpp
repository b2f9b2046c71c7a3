#include "db/without_foreign_keys.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::db {

WithoutForeignKeys::WithoutForeignKeys(Connection& connection) : connection_(connection) {
    connection_.execute("PRAGMA foreign_keys = OFF");
}

WithoutForeignKeys::~WithoutForeignKeys() {
    try {
        connection_.execute("PRAGMA foreign_keys = ON");
    } catch (const DatabaseError&) {
        // The pragma neither reads nor writes the file.
    }
}

void expect_no_dangling_rows(const Connection& connection, std::string_view what) {
    Statement dangling = connection.prepare("PRAGMA foreign_key_check");
    if (dangling.step()) {
        throw DatabaseError(fmt::format("{} leaves rows of '{}' that refer to nothing; the database is unchanged", what,
                                        dangling.text(0)));
    }
}

}  // namespace redtune::db
