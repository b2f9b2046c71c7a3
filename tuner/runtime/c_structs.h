#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "redtune.h"
#include "redtune/error.h"
#include "redtune/problem.h"

namespace redtune::runtime {

/// Returns a struct of the caller's, which may be of another version: members that the caller does not know are zero,
/// and a member that this version does not know must be.
/// @throws InputError for a size that is too small, or a later member that is not zero
template <class Struct>
Struct read_sized(const Struct& given, const char* name) {
    // The size of every version of a struct is a multiple of its alignment. Another size would cut a pointer in two.
    if (given.size < sizeof(given.size) || given.size % alignof(Struct) != 0) {
        throw InputError(std::string(name) + ".size is not set; set it to sizeof(" + name + ")");
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
    if (given.size > sizeof(Struct) &&
        std::any_of(bytes + sizeof(Struct), bytes + given.size, [](unsigned char byte) { return byte != 0; })) {
        throw InputError(std::string(name) +
                         " has a member that this version of redtune does not know; set it "
                         "to zero, or use the library of its header");
    }
    Struct known = {};
    std::memcpy(&known, &given, std::min(given.size, sizeof(Struct)));
    return known;
}

/// Returns the problem that a C struct describes.
/// @throws InputError for a missing or unknown name, or a shape that there is not
Problem problem_of(const redtune_problem& given);

}  // namespace redtune::runtime
