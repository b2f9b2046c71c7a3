#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/configuration.h"

namespace redtune {

/// An SQL expression of a front matter.
struct Expression {
    std::string name;  ///< the derived value's name; empty for a condition of `where`
    std::string sql;
    int line = 0;  ///< line in the family's file, for error messages
};

/// A parameter and the values that it may have, in the order of the family's file.
struct ParameterValues {
    std::string name;
    std::vector<Value> values;
    bool compile = true;  ///< false: a launch parameter, whose values all share one compiled kernel
    int line = 0;         ///< line in the family's file, for error messages
    /// The value that the parameter has in a configuration that was recorded before the family had the parameter.
    /// Printed tables leave the default out. It is one of `values`.
    std::optional<Value> default_value = std::nullopt;
};

/// The uses of a family in redtune's commands, apart from tuning it.
struct FamilyRole {
    std::string ladder;               ///< the series of `redtune ladder` that the family is a step of; empty: none
    std::uint32_t step = 0;           ///< number of the step in that series, from 1
    bool represents_redtune = false;  ///< `redtune ladder` shows the fastest family with this flag as `redtune`
    bool baseline = false;            ///< the summary of a sweep compares the winners with the best of this family
};

/// A family: the front matter and the source of a kernel template in templates/.
struct Family {
    std::string name;
    std::string summary;
    std::string origin;
    int minimum_compute_capability = 75;  ///< major x 10 + minor
    std::string kernel;                   ///< name of the kernel template, which several families may share
    bool destructive = false;             ///< true: the kernel overwrites its input
    std::vector<std::string> shapes;      ///< the shapes that the kernel supports: "whole", "rows", "columns"
    FamilyRole role;
    std::string grows_with_row_length;        ///< parameter that is proportional to the row length; empty: none
    std::vector<ParameterValues> parameters;  ///< compile parameters first, in the order of the template arguments
    std::vector<Expression> derived;          ///< each may use the derived values before it
    std::vector<Expression> where;            ///< conditions that every candidate satisfies
    std::string path;                         ///< the file's path, for error messages
    std::string source;                       ///< text of the whole file
    std::string code_hash;                    ///< hash of all device code that the family includes, without comments

    /// Returns the default value of a parameter; null if the family has no parameter of this name, or the parameter has
    /// no default.
    const Value* default_of(std::string_view parameter) const;
};

/// Returns the same text as to_string(), without the parameters that have their default value:
/// "tile_per_block(block=128, unroll=4, vector_bytes=16, finish=packed)".
std::string to_string_without_defaults(const Configuration& configuration, const Family& family);

/// Returns the families that the text of a file defines: one family, or one for each entry of [variants]. Variants
/// differ in the values of compile parameters. `code_hash` stays empty because it depends on other files.
/// @throws InputError "path:line: what is wrong; what is allowed".
std::vector<Family> parse_families(const std::string& path, const std::string& text);

}  // namespace redtune
