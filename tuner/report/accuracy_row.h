#pragma once

#include <cstdint>
#include <string>

namespace redtune::report {

/// One row of an accuracy table: the error of one result.
struct AccuracyRow {
    std::string op;
    std::string dtype;
    std::uint64_t n = 0;
    std::string data;    ///< name of a kind of data or of a file
    std::string method;  ///< a finish, or "CUB " and a kind of determinism
    std::string family;  ///< the kernel's family, or CUB's function
    double error = 0;    ///< |result - exact sum| / (unit * sum of |term|), see compare::sum_error()
};

}  // namespace redtune::report
