#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/operator.h"

namespace redtune::jit {

/// An operator that the user defines, in a file or in a text. Its source begins with TOML:
///
/// /*redtune
/// operator = "sum_of_cubes"              # the device struct is redtune::SumOfCubes
/// summary  = "Sum of cubes"
/// arrays   = 1                           # 2: transform takes pairs
/// [types]                                # input = [accumulator, output]; without it, those of sum
/// f32 = ["f32", "f32"]
/// */
/// The source then defines the device struct, a template <Input, Accumulator, Output> with the members that
/// kernels_src/operators.cuh describes.
struct OperatorFile {
    Operator info;
    std::map<Type, ResultTypes> types;
    std::string path;  ///< operator_text_path if the source was given as text
    std::string text;
};

/// The path of sources that were given as text: messages of redtune and of NVRTC begin with it.
inline constexpr std::string_view operator_text_path = "operator_source";

/// Reads an operator file. @throws InputError "path:line: what is wrong; what is allowed".
OperatorFile read_operator_file(const std::string& path);

/// Reads an operator whose source is given as text. @throws InputError "operator_source:line: what is wrong; what is
/// allowed".
OperatorFile read_operator_text(std::string text);

/// Reads the operator that is given either as a file or as text; nullopt if both are empty.
/// @throws InputError as above, and if both are given
std::optional<OperatorFile> read_given_operator(const std::string& file, const std::string& text);

/// Returns the problem of reducing a whole array with the operator.
/// @throws InputError for an input type that the operator does not have.
Problem make_problem(const OperatorFile& file, Type input);

}  // namespace redtune::jit
