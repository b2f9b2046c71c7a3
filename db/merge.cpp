#include "db/merge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "db/backup.h"
#include "db/connection.h"
#include "db/merge_rows.h"
#include "db/migration.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

/// Removes a file with its journal when the scope ends, unless the file was renamed.
class UnfinishedFile {
  public:
    explicit UnfinishedFile(Path path) : path_(std::move(path)) { remove(); }
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile() { remove(); }
    const Path& path() const { return path_; }

  private:
    void remove() const {
        std::error_code none;
        for (const char* suffix : {"", "-wal", "-shm", "-journal"})
            std::filesystem::remove(path_.string() + suffix, none);
    }
    Path path_;
};

Connection empty_database() {
    Connection connection = Connection::in_memory();
    migrate(connection, {}, embedded_migrations());
    connection.execute("ATTACH ':memory:' AS input");
    return connection;
}

void add(Connection& merged, const Connection& input) {
    input.copy_to(merged, "input");
    add_rows_of_input(merged);
}

/// Copies an existing output and closes its write-ahead log, which would be applied to the new file.
/// @throws DatabaseError if it is not a redtune database, or if another process has it open
void put_aside(const Path& output) {
    Store::open(output, Access::read_only);
    Connection existing = Connection::open(output, OpenMode::create);
    existing.text("PRAGMA journal_mode = DELETE");
    back_up_numbered(output, ".bak-merge-");
}

}  // namespace

void merge(std::span<const Path> inputs, const Path& output, bool replace,
           const std::function<void(Store&)>& choose_winners) {
    std::error_code none;
    const bool exists = std::filesystem::exists(output, none);
    if (exists && !replace) {
        throw InputError(
            fmt::format("{} exists; give another file with --output, or --force to replace it by the merged database "
                        "(a copy is kept)",
                        output.string()));
    }
    if (exists) Store::open(output, Access::read_only);  // refuses a file that is not redtune's before any work
    Connection merged = empty_database();
    for (const Path& input : inputs) add(merged, Store::open(input, Access::read_only).connection());
    // Ids depend on the order of the inputs so far. An empty database gives them anew.
    Connection ordered = empty_database();
    add(ordered, merged);

    const UnfinishedFile unfinished(fmt::format("{}.unfinished-{}", output.string(), getpid()));
    {
        Connection file = Connection::open(unfinished.path(), OpenMode::create);
        ordered.copy_to(file);
    }
    {
        Store store = Store::open(unfinished.path(), Access::read_write);
        choose_winners(store);
        // In the mode DELETE the database is a single file, which can be renamed.
        store.connection().text("PRAGMA journal_mode = DELETE");
    }
    if (exists) put_aside(output);
    std::filesystem::rename(unfinished.path(), output);
}

}  // namespace redtune::db
