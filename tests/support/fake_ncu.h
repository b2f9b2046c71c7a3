#pragma once

#include <filesystem>
#include <string>

#include "tests/support/database_fixture.h"

namespace redtune::test {

/// A stand-in for ncu that is the first on PATH. It writes its arguments to a file, one in each line, and prints a file
/// of tests/cli/ncu. What it should profile is not started.
class FakeNcu {
  public:
    /// @param prints the name of the file that it prints
    /// @param exit_code with which it ends
    explicit FakeNcu(const std::string& prints, int exit_code = 0);

    /// Returns the file of the stand-in.
    std::filesystem::path program() const { return folder_ / "ncu"; }
    /// Returns how often it was started.
    std::size_t starts() const;
    /// Returns the arguments of all starts.
    std::string arguments() const;

  private:
    db::TemporaryFolder folder_;
    db::ScopedVariable path_;
};

}  // namespace redtune::test
