#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "db/statement.h"

namespace redtune::db {

enum class OpenMode {
    create,     ///< reads and writes; creates an empty file if the file does not exist
    read_only,  ///< writes fail; sees what other connections commit
    immutable   ///< writes fail; takes no locks and creates no -wal or -shm file; the file must not change meanwhile
};

/// An open SQLite file with any contents. It is not thread-safe: each thread needs its own connection. Queries can
/// compare versions such as "580.159.04" with COLLATE version.
class Connection {
  public:
    /// Returns a connection to a file. Its statements wait up to 10 s for the locks of other processes, and foreign
    /// keys are enforced.
    /// @throws DatabaseError if the file cannot be opened, is a folder or is not a SQLite database. The file is not
    /// changed.
    static Connection open(const std::filesystem::path& file, OpenMode mode);
    /// Returns a connection to a new, empty database in memory.
    static Connection in_memory();
    /// Returns a connection to a new, empty database, of which SQLite keeps in memory what fits its cache; the rest is
    /// in a temporary file that the last connection deletes.
    static Connection temporary();

    /// Attaches a new, empty, temporary database, such as temporary() returns, under a name. The temporary tables of
    /// this connection get as large a cache.
    void attach_temporary(const std::string& name);

    /// Runs an SQL script with any number of statements.
    void execute(const std::string& sql);
    Statement prepare(std::string_view sql) const { return {database_.get(), sql}; }
    /// Returns the first column of the query's first row; 0 if there is no row.
    std::int64_t value(std::string_view sql) const;
    /// Returns the first column of the query's first row as text; empty if there is no row.
    std::string text(std::string_view sql) const;
    /// Returns the number of rows that the last statement changed.
    std::int64_t changes() const noexcept;
    std::int64_t last_insert_rowid() const noexcept;
    bool is_in_transaction() const noexcept;

    /// Replaces the contents of `target` with the committed contents of this database.
    /// @param schema "main", or the name of a database that is attached to `target`
    void copy_to(Connection& target, const char* schema = "main") const;

  private:
    struct Close {
        void operator()(sqlite3* database) const noexcept;
    };
    explicit Connection(sqlite3* database);
    /// Returns a connection to a URI.
    /// @param file the path that an error message names
    static Connection open_uri(const std::string& uri, int flags, const std::filesystem::path& file);

    std::unique_ptr<sqlite3, Close> database_;
};

/// A transaction. The constructor runs BEGIN IMMEDIATE, commit() runs COMMIT, and the destructor runs ROLLBACK if
/// commit() was not called. Inside another transaction it is a savepoint: its changes are committed with those of the
/// outer transaction.
class Transaction {
  public:
    explicit Transaction(Connection& connection);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

  private:
    Connection& connection_;
    const bool is_nested_;
    bool open_ = true;
};

/// A transaction that only reads: all queries until its end see the database as it was at the first of them, whatever
/// other processes write meanwhile. Inside another transaction it does nothing.
class ReadTransaction {
  public:
    explicit ReadTransaction(Connection& connection);
    ReadTransaction(const ReadTransaction&) = delete;
    ReadTransaction& operator=(const ReadTransaction&) = delete;
    ~ReadTransaction();

  private:
    Connection& connection_;
    const bool is_nested_;
};

}  // namespace redtune::db
