#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/connection.h"
#include "db/store.h"

namespace redtune::db {

struct Store::Impl {
    std::filesystem::path file;
    Connection connection;
    std::unordered_map<std::string_view, Statement> statements;  ///< prepared statements by their SQL
    std::unordered_map<std::string, std::int64_t> configuration_ids;
    std::vector<Family> families;  ///< set by Store::complete_configurations()

    Impl(std::filesystem::path opened, Connection connected)
        : file(std::move(opened)), connection(std::move(connected)) {}

    /// Returns the prepared statement for a string literal or a static string. The first call prepares it; later calls
    /// reuse it. A statement that has not reached its last row holds a lock: reset it, or use read_all().
    Statement& statement(std::string_view sql) {
        const auto found = statements.find(sql);
        if (found != statements.end()) return found->second;
        return statements.emplace(sql, connection.prepare(sql)).first->second;
    }

    /// Returns the id of the row with these values. Inserts the row if it does not exist yet.
    template <class... Values>
    std::int64_t intern(std::string_view select, std::string_view insert, const Values&... values) {
        if (const auto id = statement(select).bind(values...).value()) return *id;
        statement(insert).bind(values...).run();
        return statement(select).bind(values...).value().value();
    }
};

}  // namespace redtune::db
