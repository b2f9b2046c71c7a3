#include "db/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string>

namespace redtune::db {

namespace {

std::string_view remedy(int extended_code) {
    switch (extended_code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "another process has held it for longer than 10 s; try again when that one is done";
        case SQLITE_FULL:
            return "free space on its file system, or choose another file with REDTUNE_DB";
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return "make the file and its folder writable, or choose another file with REDTUNE_DB";
        case SQLITE_NOTADB:
            return "give the path of a redtune database, or of a file that does not exist yet";
        case SQLITE_CORRUPT:
            return "restore it from a copy, or save what can be read with `sqlite3 FILE .recover`";
        case SQLITE_IOERR:
            return "check the disk or network share that holds it";
        default:
            return "`redtune db check` says whether the file is sound";
    }
}

}  // namespace

DatabaseError sqlite_error(sqlite3* database, std::string_view file) {
    const int code = sqlite3_extended_errcode(database);
    const char* open_file = database == nullptr ? nullptr : sqlite3_db_filename(database, "main");
    if (file.empty() && open_file != nullptr) file = open_file;
    if (file.empty()) file = "database in memory";
    return DatabaseError(fmt::format("{}: {} (SQLite code {}: {}); {}", file, sqlite3_errmsg(database), code,
                                     sqlite3_errstr(code), remedy(code)));
}

}  // namespace redtune::db
