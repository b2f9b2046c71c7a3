#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "db/store.h"

namespace redtune::db {

/// A folder of its own, gone at the end.
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

/// An environment variable's value for as long as this lives; nullptr: none.
class ScopedVariable {
  public:
    /// Null unsets the variable.
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

/// Runs the work in a child process, which then ends at once, without destructors.
/// @return its process id
int start_process(const std::function<void()>& work);
/// True where it did all its work without an exception.
bool succeeded(int process);

DeviceInfo h200();
ToolchainInfo toolchain();
/// stream(block=256, unroll=..., finish=publish): a different configuration for each unroll.
Candidate candidate(std::int64_t unroll = 4, bool deterministic = true);
Measurement measurement(double time_us, Stage stage = Stage::final);

/// A sweep with one ok measurement of `time_us` for each size, which is also the winner.
void add_winner(Store& store, const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                const Candidate& candidate, double time_us);

}  // namespace redtune::db
