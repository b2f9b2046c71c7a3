#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "db/store.h"

namespace redtune::db {

/// A new, empty folder. The destructor deletes it with its contents.
class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Sets an environment variable. The destructor restores the previous value.
class ScopedVariable {
  public:
    /// @param value null to unset the variable
    ScopedVariable(const char* name, const char* value);
    ScopedVariable(const char* name, const std::string& value) : ScopedVariable(name, value.c_str()) {}
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable();

  private:
    const char* name_;
    std::optional<std::string> before_;
};

/// Replaces the contents of a file.
void write_file(const std::filesystem::path& file, const std::string& bytes);
/// Returns the contents of a file.
std::string read_file(const std::filesystem::path& file);

/// Starts a child process and returns its id. The child runs `work` and then exits without running destructors.
int start_process(const std::function<void()>& work);
/// Waits for a child process of start_process() and returns whether its work threw no exception.
bool succeeded(int process);

/// Returns the device information of an H200.
DeviceInfo h200();
/// Returns example versions of the toolchain.
ToolchainInfo toolchain();
/// Returns the candidate grid_stride_wide(block=256, unroll=..., finish=publish, blocks_per_sm=0.5) with the given
/// unroll factor. If `deterministic` is false, the finish is `atomic`.
Candidate candidate(std::int64_t unroll = 4, bool deterministic = true);
/// Returns a successful measurement with samples near `time_us` and this median.
Measurement measurement(double time_us, Stage stage = Stage::final);

/// Stores a finished sweep with one size and one measurement of `time_us`, and makes this measurement the winner.
void add_winner(Store& store, const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                const Candidate& candidate, double time_us);

}  // namespace redtune::db
