#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/parameter.h"

namespace redtune {

/// An SQL expression of a front matter, with the place to blame.
struct Expression {
    std::string name;  ///< the derived value's name; for `where`, empty
    std::string sql;
    int line = 0;  ///< in the family's file
};

/// A parameter and the values it may take, in the file's order.
struct ParameterValues {
    std::string name;
    std::vector<Value> values;
    bool compile = true;  ///< false: a launch parameter, which never costs a compile
    int line = 0;
};

/// A family of a file of templates/: what its front matter says, and its source.
struct Family {
    std::string name;
    std::string summary;
    std::string origin;
    int minimum_compute_capability = 75;  ///< major x 10 + minor
    std::string kernel;                   ///< the kernel template's name: the file's, which several families may share
    bool destructive = false;             ///< overwrites its input
    std::vector<std::string> shapes;      ///< "whole", "rows"
    std::vector<ParameterValues> parameters;  ///< compile parameters first: the template's own order
    std::vector<Expression> derived;          ///< each may use those before it
    std::vector<Expression> where;            ///< all must hold
    std::string path;                         ///< shown in errors
    std::string source;                       ///< the whole file
    std::string code_hash;                    ///< of all device code it is made of, comments left out
};

/// Reads the families of a file from its text: one, or one for each of its variants, which differ in the values of
/// compile parameters. `code_hash` is left empty: it depends on other files.
/// @throws InputError "path:line: what is wrong; what is allowed".
std::vector<Family> parse_families(const std::string& path, const std::string& text);

}  // namespace redtune
