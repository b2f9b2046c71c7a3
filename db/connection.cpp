#include "db/connection.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "db/sqlite_error.h"

namespace redtune::db {

namespace {

constexpr int busy_timeout_ms = 10'000;
/// The part of a temporary database, or of one that is written, that stays in memory: what a sweep has stored is read
/// again for each size. A database with 40,000 measurements has 10 MiB.
constexpr int cache_kib = 65'536;

/// Returns a file URI of the path, in which '%', '?' and '#' are percent-encoded, followed by `query`.
std::string uri_of(const std::filesystem::path& file, std::string_view query) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '%' || c == '?' || c == '#') {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            uri += c;
        }
    }
    return uri.append(query);
}

bool is_writable(const std::filesystem::path& path) {
    return access(path.c_str(), W_OK) == 0;
}

/// Returns whether the file has a write-ahead log that holds changes which are not in the file itself yet.
bool has_log(const std::filesystem::path& file) {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(file.string() + "-wal", none);
    return !none && bytes > 0;
}

/// Compares two versions for SQLite: "580.95.05" is less than "580.159.04".
int compare_versions(void*, int left_length, const void* left, int right_length, const void* right) {
    const std::string left_text(static_cast<const char*>(left), static_cast<std::size_t>(left_length));
    const std::string right_text(static_cast<const char*>(right), static_cast<std::size_t>(right_length));
    return strverscmp(left_text.c_str(), right_text.c_str());
}

}  // namespace

void Connection::Close::operator()(sqlite3* database) const noexcept {
    sqlite3_close_v2(database);
}

Connection::Connection(sqlite3* database) : database_(database) {}

Connection Connection::open_uri(const std::string& uri, int flags, const std::filesystem::path& file) {
    sqlite3* opened = nullptr;
    const int result = sqlite3_open_v2(uri.c_str(), &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    Connection connection(opened);
    if (result != SQLITE_OK) throw sqlite_error(opened, file.string());
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, busy_timeout_ms);
    sqlite3_create_collation_v2(opened, "version", SQLITE_UTF8, nullptr, compare_versions, nullptr);
    connection.execute("PRAGMA foreign_keys = ON");
    return connection;
}

Connection Connection::open(const std::filesystem::path& file, OpenMode mode) {
    std::error_code none;
    if (std::filesystem::is_directory(file, none)) {
        throw DatabaseError(fmt::format(
            "{} is a folder; give a database file, or the path of a file that does not exist yet", file.string()));
    }
    const auto open_as = [&](std::string_view query, int flags) {
        Connection connection = open_uri(uri_of(file, query), flags, file);
        connection.value("PRAGMA schema_version");  // throws if the file is not a SQLite database
        return connection;
    };
    constexpr std::string_view as_immutable = "?mode=ro&immutable=1";
    if (mode == OpenMode::immutable) return open_as(as_immutable, SQLITE_OPEN_READONLY);
    if (mode == OpenMode::create) {
        Connection connection = open_as("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        connection.execute(fmt::format("PRAGMA cache_size = -{}", cache_kib));
        return connection;
    }
    // A writable file is opened for writing, and query_only makes every write fail. A read-only connection could not
    // checkpoint, so it would leave the -wal and -shm files in the folder.
    if (is_writable(file) && is_writable(std::filesystem::absolute(file).parent_path())) {
        Connection connection = open_as("", SQLITE_OPEN_READWRITE);
        connection.execute("PRAGMA query_only = ON");
        return connection;
    }
    try {
        return open_as("", SQLITE_OPEN_READONLY);
    } catch (const DatabaseError&) {
        // A reader of a database in WAL mode needs a -shm file, which SQLite cannot create in a folder without write
        // permission. If there is no write-ahead log, no process is writing, and the file can be opened as immutable.
        if (has_log(file)) throw;
        return open_as(as_immutable, SQLITE_OPEN_READONLY);
    }
}

Connection Connection::in_memory() {
    return open_uri(":memory:", SQLITE_OPEN_READWRITE, {});
}

Connection Connection::temporary() {
    Connection connection = open_uri("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, {});
    connection.execute(fmt::format("PRAGMA cache_size = -{}", cache_kib));
    return connection;
}

void Connection::execute(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw sqlite_error(database_.get());
    }
}

void Connection::attach_temporary(const std::string& name) {
    execute(
        fmt::format("ATTACH '' AS {0}; PRAGMA {0}.cache_size = -{1}; PRAGMA temp.cache_size = -{1}", name, cache_kib));
}

std::int64_t Connection::value(std::string_view sql) const {
    return prepare(sql).value().value_or(0);
}

std::string Connection::text(std::string_view sql) const {
    Statement statement = prepare(sql);
    return statement.step() ? statement.text(0) : std::string();
}

std::int64_t Connection::changes() const noexcept {
    return sqlite3_changes64(database_.get());
}
std::int64_t Connection::last_insert_rowid() const noexcept {
    return sqlite3_last_insert_rowid(database_.get());
}

bool Connection::is_in_transaction() const noexcept {
    return sqlite3_get_autocommit(database_.get()) == 0;
}

void Connection::copy_to(Connection& target, const char* schema) const {
    sqlite3_backup* backup = sqlite3_backup_init(target.database_.get(), schema, database_.get(), "main");
    if (backup == nullptr) throw sqlite_error(target.database_.get());
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK) throw sqlite_error(target.database_.get());
}

Transaction::Transaction(Connection& connection) : connection_(connection), is_nested_(connection.is_in_transaction()) {
    connection_.execute(is_nested_ ? "SAVEPOINT nested" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        connection_.execute(is_nested_ ? "ROLLBACK TO nested; RELEASE nested" : "ROLLBACK");
    } catch (const DatabaseError&) {
        // After some errors SQLite has already rolled back, and ROLLBACK fails.
    }
}

void Transaction::commit() {
    connection_.execute(is_nested_ ? "RELEASE nested" : "COMMIT");
    open_ = false;
}

ReadTransaction::ReadTransaction(Connection& connection)
    : connection_(connection), is_nested_(connection.is_in_transaction()) {
    if (!is_nested_) connection_.execute("BEGIN");
}

ReadTransaction::~ReadTransaction() {
    if (is_nested_) return;
    try {
        connection_.execute("ROLLBACK");
    } catch (const DatabaseError&) {
        // After some errors SQLite has already rolled back, and ROLLBACK fails.
    }
}

}  // namespace redtune::db
