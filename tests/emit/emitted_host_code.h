#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/emit/stand_in/recorded_launch.h"
#include "tests/support/database_fixture.h"
#include "tests/support/shell.h"
#include "tuner/emit/emission.h"

namespace redtune::test_support {

/// The host code of several emissions, compiled into one library whose launches are recorded.
class EmittedHostCode {
  public:
    using Reduce = int(std::uint64_t x, std::uint64_t y, std::uint64_t n, std::uint64_t output, std::uint64_t workspace,
                       std::uint64_t stream);
    using WorkspaceBytes = std::uint64_t(std::uint64_t n);

    /// Compiles the host part of the C++ files in one translation unit.
    static EmittedHostCode of_cuda_files(const std::vector<emit::Emission>& emissions);
    /// Compiles the C files, with machine code that does nothing, in one translation unit. Loads them on the first
    /// call.
    static EmittedHostCode of_c_files(const std::vector<emit::Emission>& emissions);

    /// Calls reduce() of an emission and returns the launches that it made, and the error code that it returned.
    int reduce(std::size_t emission, std::uint64_t n, std::uint64_t workspace, std::vector<RecordedLaunch>& launches);
    std::uint64_t workspace_bytes(std::size_t emission, std::uint64_t n) const;

    Recording& recording() { return *library_->find<Recording>("recording"); }
    const SharedLibrary& library() const { return *library_; }

    static constexpr std::uint64_t x = 0x1000;
    static constexpr std::uint64_t y = 0x2000;
    static constexpr std::uint64_t output = 0x3000;
    static constexpr std::uint64_t stream = 0x50;

  private:
    EmittedHostCode(const std::string& source, const std::string& file, const std::string& compile);

    std::unique_ptr<db::TemporaryFolder> folder_;
    std::unique_ptr<SharedLibrary> library_;
};

}  // namespace redtune::test_support
