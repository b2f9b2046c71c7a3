#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/configuration.h"

namespace redtune {

/// An SQL expression of a front matter, and its line in the file for error messages.
struct Expression {
    std::string name;  ///< the derived value's name; empty for a condition of `where`
    std::string sql;
    int line = 0;
};

/// A parameter and the values it may take, in the file's order.
struct ParameterValues {
    std::string name;
    std::vector<Value> values;
    bool compile = true;  ///< false: a launch parameter, which never costs a compile
    int line = 0;         ///< in the family's file
    /// The value that is meant where a configuration does not name the parameter: in tables, which leave it out, and in
    /// rows that were recorded before the family had the parameter. It is one of `values`.
    std::optional<Value> default_value = std::nullopt;
};

/// The uses that redtune has for a family besides tuning it.
struct FamilyRole {
    std::string ladder;               ///< the set-up of `redtune ladder` that the family is a step of; empty: none
    std::uint32_t step = 0;           ///< its place in that set-up, from 1
    bool represents_redtune = false;  ///< the line `redtune` of a ladder is the best of these families
    bool baseline = false;            ///< the summary of a sweep compares the winners with the best of this family
};

/// A kernel template of a file in templates/: what the file's front matter says, and its source.
struct Family {
    std::string name;
    std::string summary;
    std::string origin;
    int minimum_compute_capability = 75;  ///< major x 10 + minor
    std::string kernel;                   ///< name of the kernel template, which several families may share
    bool destructive = false;             ///< overwrites its input
    std::vector<std::string> shapes;      ///< "whole", "rows"
    FamilyRole role;
    std::vector<ParameterValues> parameters;  ///< compile parameters first, in the order of the template arguments
    std::vector<Expression> derived;          ///< each may use the ones before it
    std::vector<Expression> where;            ///< conditions that every candidate satisfies
    std::string path;                         ///< shown in errors
    std::string source;                       ///< the whole file
    std::string code_hash;                    ///< of all device code that the family includes, without comments

    /// Returns the default value of a parameter; null where the family has no such parameter or the parameter has no
    /// default.
    const Value* default_of(std::string_view parameter) const;
};

/// Returns the configuration as to_string() does, without the parameters that have their default value:
/// "tile_per_block(block=128, unroll=4, vector_bytes=16, finish=packed)".
std::string to_string_without_defaults(const Configuration& configuration, const Family& family);

/// Reads the families of a file from its text: one, or one for each of its variants, which differ in the values of
/// compile parameters. `code_hash` is left empty because it depends on other files.
/// @throws InputError "path:line: what is wrong; what is allowed".
std::vector<Family> parse_families(const std::string& path, const std::string& text);

}  // namespace redtune
