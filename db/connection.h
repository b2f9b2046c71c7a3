#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "db/statement.h"

namespace redtune::db {

enum class OpenMode {
    create,     ///< reads and writes; makes an empty file if there is none
    read_only,  ///< refuses writes; sees what other connections commit
    immutable   ///< refuses writes, takes no locks and makes no other files; only for files that nobody changes
};

/// An open SQLite file with any contents. Not thread-safe: each thread needs its own.
class Connection {
  public:
    /// Opens a file. Statements wait up to 10 s for the locks of other processes; foreign keys are enforced.
    /// @throws DatabaseError if the file cannot be opened, is a folder or is not SQLite's. The file is not changed.
    static Connection open(const std::filesystem::path& file, OpenMode mode);
    static Connection in_memory();

    /// Runs a script of any number of statements.
    void execute(const std::string& sql);
    Statement prepare(std::string_view sql) const { return {database_.get(), sql}; }
    /// Returns the first column of the query's first row; 0 if there is no row.
    std::int64_t value(std::string_view sql) const;
    /// Returns the first column of the query's first row as text; empty if there is no row.
    std::string text(std::string_view sql) const;
    /// Returns the number of rows that the last statement changed.
    std::int64_t changes() const noexcept;
    std::int64_t last_insert_rowid() const noexcept;

    /// Overwrites `target` with a copy of this database as last committed.
    void copy_to(Connection& target) const;

  private:
    struct Close {
        void operator()(sqlite3* database) const noexcept;
    };
    explicit Connection(sqlite3* database);
    /// @param file the path that an error names
    static Connection open_uri(const std::string& uri, int flags, const std::filesystem::path& file);

    std::unique_ptr<sqlite3, Close> database_;
};

/// A transaction: BEGIN IMMEDIATE at construction, COMMIT by commit(), ROLLBACK at destruction without commit().
class Transaction {
  public:
    explicit Transaction(Connection& connection);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

  private:
    Connection& connection_;
    bool open_ = true;
};

}  // namespace redtune::db
