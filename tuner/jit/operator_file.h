#pragma once

#include <map>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/operator.h"

namespace redtune::jit {

/// An operator that the user defines, from a file that begins with TOML:
///
/// /*redtune
/// operator = "sum_of_cubes"              # the device struct is redtune::SumOfCubes
/// summary  = "Sum of cubes"
/// arrays   = 1                           # 2: transform takes pairs
/// [types]                                # input = [accumulator, output]; without it, those of sum
/// f32 = ["f32", "f32"]
/// */
///
/// The struct template <Input, Accumulator, Output> is as kernels_src/operators.cuh says.
struct OperatorFile {
    Operator info;
    std::map<Type, ResultTypes> types;
    std::string path;
    std::string text;
};

/// Reads an operator file. @throws InputError "path:line: what is wrong; what is allowed".
OperatorFile read_operator_file(const std::string& path);

/// Returns the problem of reducing a whole array with the operator.
/// @throws InputError for an input type that the operator does not have.
Problem make_problem(const OperatorFile& file, Type input);

}  // namespace redtune::jit
