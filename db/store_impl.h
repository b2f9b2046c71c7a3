#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "db/connection.h"
#include "db/store.h"

namespace redtune::db {

struct Store::Impl {
    std::filesystem::path file;
    Connection connection;
    std::unordered_map<std::string_view, Statement> statements;  ///< by their text, which is always a literal
    std::unordered_map<std::string, std::int64_t> configuration_ids;

    Impl(std::filesystem::path opened, Connection connected)
        : file(std::move(opened)), connection(std::move(connected)) {}

    /// Prepared once. For writes and single values only: a statement left in mid-result would hold its lock.
    Statement& statement(std::string_view literal) {
        const auto found = statements.find(literal);
        if (found != statements.end()) return found->second;
        return statements.emplace(literal, connection.prepare(literal)).first->second;
    }

    /// The id of a row that is inserted where it is not there yet, by this process or another.
    template <class... Values>
    std::int64_t intern(std::string_view select, std::string_view insert, const Values&... values) {
        if (const auto id = statement(select).bind(values...).value()) return *id;
        statement(insert).bind(values...).run();
        return statement(select).bind(values...).value().value();
    }
};

}  // namespace redtune::db
