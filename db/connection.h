#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "db/statement.h"

namespace redtune::db {

enum class OpenMode {
    create,     ///< read and write; an empty file is made where there is none
    read_only,  ///< no writes; sees what others commit
    immutable   ///< no writes, no locks, nothing beside the file: for files that nobody changes
};

/// An open SQLite file, whatever is in it. Not thread-safe: one per thread.
class Connection {
  public:
    /// Waits up to 10 s for the locks of other processes. Foreign keys are enforced.
    /// @throws DatabaseError where the file cannot be opened or is not SQLite's; the file is left as it is.
    static Connection open(const std::filesystem::path& file, OpenMode mode);
    static Connection in_memory();

    /// Runs a script of any number of statements.
    void execute(const std::string& sql);
    Statement prepare(std::string_view sql) const { return {database_.get(), sql}; }
    /// The first column of a query's first row; 0 where there is none.
    std::int64_t value(std::string_view sql) const;
    std::string text(std::string_view sql) const;
    /// Rows changed by the last statement.
    std::int64_t changes() const noexcept;
    std::int64_t last_insert_rowid() const noexcept;

    /// Copies the whole database, as last committed, over another one.
    void copy_to(Connection& target) const;

  private:
    struct Close {
        void operator()(sqlite3* database) const noexcept;
    };
    explicit Connection(sqlite3* database);
    static Connection open_uri(const std::string& uri, int flags);

    std::unique_ptr<sqlite3, Close> database_;
};

/// BEGIN IMMEDIATE ... COMMIT; rolls back where commit() is not reached.
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
