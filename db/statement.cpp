#include "db/statement.h"

#include <sqlite3.h>

#include <utility>

#include "db/sqlite_error.h"

namespace redtune::db {

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
    check(sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr));
}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(database_, other.database_);
    std::swap(statement_, other.statement_);
    return *this;
}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

bool Statement::step() {
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result != SQLITE_DONE) {
        const DatabaseError error = sqlite_error(database_);
        reset();
        throw error;
    }
    reset();
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

std::optional<std::string> Statement::run_or_violation() {
    int result = SQLITE_ROW;
    while (result == SQLITE_ROW) result = sqlite3_step(statement_);
    std::optional<std::string> violation;
    if ((result & 0xff) == SQLITE_CONSTRAINT) violation = sqlite3_errmsg(database_);
    const bool has_failed = result != SQLITE_DONE && !violation;
    const DatabaseError error = has_failed ? sqlite_error(database_) : DatabaseError("");
    reset();
    if (has_failed) throw error;
    return violation;
}

std::optional<std::int64_t> Statement::value() {
    std::optional<std::int64_t> first;
    if (step()) {
        first = integer(0);
        reset();
    }
    return first;
}

void Statement::reset() noexcept {
    sqlite3_reset(statement_);
}

int Statement::columns() const noexcept {
    return sqlite3_column_count(statement_);
}
std::string Statement::name(int column) const {
    return sqlite3_column_name(statement_, column);
}

bool Statement::is_null(int column) const noexcept {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
bool Statement::is_integer(int column) const noexcept {
    return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
bool Statement::is_real(int column) const noexcept {
    return sqlite3_column_type(statement_, column) == SQLITE_FLOAT;
}
std::int64_t Statement::integer(int column) const noexcept {
    return sqlite3_column_int64(statement_, column);
}
double Statement::real(int column) const noexcept {
    return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string()
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

void Statement::bind_integer(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_, index, value));
}
void Statement::bind_real(int index, double value) {
    check(sqlite3_bind_double(statement_, index, value));
}
void Statement::bind_null(int index) {
    check(sqlite3_bind_null(statement_, index));
}

void Statement::bind_text(int index, std::string_view value) {
    check(sqlite3_bind_text64(statement_, index, value.data() == nullptr ? "" : value.data(), value.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::check(int result) {
    if (result != SQLITE_OK) throw sqlite_error(database_);
}

}  // namespace redtune::db
