#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/json_object.h"

namespace redtune::report {

/// The distinct problems that a page names, each with an index. Their determinism is not distinguished.
class PageProblems {
  public:
    /// Returns the index of a problem, which is added if it is new.
    std::size_t index_of(Problem problem);

    /// Returns for each problem its properties, its name for people, and how it is written on a command line and in
    /// C++.
    Json json() const;

  private:
    std::vector<Problem> problems_;
};

/// Returns the options that select a problem on a command line, without --determinism. A name that a shell would not
/// take as one word is quoted.
std::string command_options(const Problem& problem);

/// Returns the C++ statements that define `problem`.
std::string cpp_statements(const Problem& problem);

/// Returns the text in single quotes, as a POSIX shell reads it; as it is if it needs no quotes.
std::string shell_quoted(std::string_view text);

}  // namespace redtune::report
