#pragma once

#include "db/connection.h"

namespace redtune::db {

/// Turns off the enforcement of foreign keys of a connection that is not in a transaction, until the object is
/// destroyed. Whoever uses it calls expect_no_dangling_rows() before the commit.
class WithoutForeignKeys {
  public:
    explicit WithoutForeignKeys(Connection& connection);
    WithoutForeignKeys(const WithoutForeignKeys&) = delete;
    WithoutForeignKeys& operator=(const WithoutForeignKeys&) = delete;
    ~WithoutForeignKeys();

  private:
    Connection& connection_;
};

/// @param what the changes that are about to be committed, as the subject of the message
/// @throws DatabaseError if a row refers to a row that does not exist
void expect_no_dangling_rows(const Connection& connection, std::string_view what);

}  // namespace redtune::db
