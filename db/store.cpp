#include "db/store.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "db/journal_mode.h"
#include "db/migration.h"
#include "db/store_impl.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

constexpr std::chrono::seconds patience{10};

/// Sets the journal mode. Retries while other processes lock the file, because SQLite's busy timeout does not always
/// apply to this pragma.
void set_journal_mode(Connection& connection, std::string_view wanted) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        try {
            if (connection.text("PRAGMA journal_mode") != wanted) {
                connection.text(fmt::format("PRAGMA journal_mode = {}", wanted));
            }
            return;
        } catch (const DatabaseError&) {
            if (std::chrono::steady_clock::now() > deadline) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

Connection open_to_write(const std::filesystem::path& file) {
    std::error_code failure;
    std::filesystem::create_directories(std::filesystem::absolute(file).parent_path(), failure);
    if (failure) {
        throw DatabaseError(fmt::format("cannot make the folder of {}: {}; choose another file with REDTUNE_DB",
                                        file.string(), failure.message()));
    }
    Connection connection = Connection::open(file, OpenMode::create);
    const auto migrations = embedded_migrations();
    check_identity(connection, file.string(), migrations.back().version);
    migrate(connection, file, migrations);
    set_journal_mode(connection, journal_mode_name(journal_mode_for(file)));
    // With a write-ahead log and NORMAL, no rows are lost if the process dies; only a power cut can lose the last rows.
    if (connection.text("PRAGMA journal_mode") == "wal") connection.execute("PRAGMA synchronous = NORMAL");
    return connection;
}

Connection open_to_read(const std::filesystem::path& file, OpenMode mode) {
    std::error_code none;
    if (!std::filesystem::exists(file, none)) {
        throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", file.string()));
    }
    Connection connection = Connection::open(file, mode);
    const auto migrations = embedded_migrations();
    check_identity(connection, file.string(), migrations.back().version);
    if (schema_version(connection) == migrations.back().version) return connection;
    Connection copy = Connection::in_memory();
    connection.copy_to(copy);
    migrate(copy, {}, migrations);
    return copy;
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::filesystem::path& file, Access access) {
    switch (access) {
        case Access::read_write:
            return Store(std::make_unique<Impl>(file, open_to_write(file)));
        case Access::read_only:
            return Store(std::make_unique<Impl>(file, open_to_read(file, OpenMode::read_only)));
        case Access::immutable:
            break;
    }
    return Store(std::make_unique<Impl>(file, open_to_read(file, OpenMode::immutable)));
}

void Store::complete_configurations(std::vector<Family> families) {
    impl_->families = std::move(families);
}

const std::filesystem::path& Store::file() const noexcept {
    return impl_->file;
}
std::string Store::journal_mode() const {
    return impl_->connection.text("PRAGMA journal_mode");
}
const Connection& Store::connection() const noexcept {
    return impl_->connection;
}

}  // namespace redtune::db
