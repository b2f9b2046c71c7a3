#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "db/store.h"

namespace redtune::db {

/// A new, empty folder, which is removed with this object.
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

/// Sets an environment variable while this object lives; then restores the value from before.
class ScopedVariable {
  public:
    /// A null `value` unsets the variable.
    ScopedVariable(const char* name, const char* value);
    ScopedVariable(const char* name, const std::string& value) : ScopedVariable(name, value.c_str()) {}
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable();

  private:
    const char* name_;
    std::optional<std::string> before_;
};

void write_file(const std::filesystem::path& file, const std::string& bytes);
std::string read_file(const std::filesystem::path& file);

/// Runs `work` in a child process, which then exits without running destructors.
/// @return the process id of the child
int start_process(const std::function<void()>& work);
/// Waits for a child process. @return true if its work threw no exception
bool succeeded(int process);

DeviceInfo h200();
ToolchainInfo toolchain();
/// Returns grid_stride_wide(block=256, unroll=..., finish=publish, blocks_per_sm=0.5): every unroll is another
/// configuration. Without `deterministic` the finish is atomic.
Candidate candidate(std::int64_t unroll = 4, bool deterministic = true);
Measurement measurement(double time_us, Stage stage = Stage::final);

/// Stores a finished sweep of one size with one measurement of `time_us`, which is the winner.
void add_winner(Store& store, const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                const Candidate& candidate, double time_us);

}  // namespace redtune::db
