#include "db/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "db/backup.h"
#include "db/without_foreign_keys.h"
#include "redtune/error.h"
#include "tuner/core/embedded_files.h"

namespace redtune::db {

namespace {

constexpr std::string_view folder = "db/schema/";

/// Runs one migration in a transaction, unless another process has already run it. If the database is not empty, its
/// file is copied before the first migration.
/// @param original the version before the first migration; 0 for an empty database
void apply(Connection& connection, const std::filesystem::path& file, const Migration& migration, int original) {
    Transaction transaction(connection);
    const int version = schema_version(connection);
    if (version >= migration.version) return;  // another process has already run this migration
    if (original > 0 && version == original && !file.empty()) back_up(file, fmt::format(".bak-v{}", version));
    connection.execute(std::string(migration.sql));
    expect_no_dangling_rows(connection, migration.name);
    connection.execute(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, migration.version));
    transaction.commit();
}

}  // namespace

std::vector<Migration> embedded_migrations() {
    std::vector<Migration> migrations;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with(folder)) continue;
        Migration migration{0, file.path.substr(folder.size()), file.text};
        std::from_chars(migration.name.data(), migration.name.data() + migration.name.size(), migration.version);
        migrations.push_back(migration);
    }
    std::sort(migrations.begin(), migrations.end(),
              [](const Migration& a, const Migration& b) { return a.version < b.version; });
    return migrations;
}

int schema_version(const Connection& connection) {
    return static_cast<int>(connection.value("PRAGMA user_version"));
}

void check_identity(const Connection& connection, const std::string& name, int newest_version) {
    // One statement reads one consistent snapshot, even while another process creates the database.
    const bool empty =
        connection.value(
            "SELECT application_id = 0 AND user_version = 0 AND NOT EXISTS (SELECT 1 FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version") != 0;
    if (empty) return;
    const std::int64_t id = connection.value("PRAGMA application_id");
    const int version = schema_version(connection);
    if (id != application_id) {
        throw DatabaseError(
            fmt::format("{} is a SQLite database of another program (application_id {:#x}; redtune's is {:#x}); it was "
                        "left as it is. Give a redtune database, or a file that does not exist yet",
                        name, id, application_id));
    }
    if (version > newest_version) {
        throw DatabaseError(fmt::format(
            "{} was written by a newer redtune (schema version {}; this one reads up to {}); it was left as "
            "it is. Update redtune, or choose another file with REDTUNE_DB",
            name, version, newest_version));
    }
}

void migrate(Connection& connection, const std::filesystem::path& file, const std::vector<Migration>& migrations) {
    const int original = schema_version(connection);
    if (original >= migrations.back().version) return;
    // If foreign keys are on, renaming a rebuilt table also renames it in the tables that refer to it. Foreign keys are
    // therefore off, and apply() checks them after each migration. SQLite ignores this pragma inside a transaction.
    const WithoutForeignKeys without_foreign_keys(connection);
    for (const Migration& migration : migrations) apply(connection, file, migration, original);
}

}  // namespace redtune::db
