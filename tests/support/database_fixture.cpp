#include "tests/support/database_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace redtune::db {

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "redtune-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
}

ScopedVariable::ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    if (value == nullptr) {
        unsetenv(name);
    } else {
        setenv(name, value, 1);
    }
}

ScopedVariable::~ScopedVariable() {
    if (before_) {
        setenv(name_, before_->c_str(), 1);
    } else {
        unsetenv(name_);
    }
}

void write_file(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string read_file(const std::filesystem::path& file) {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
}

int start_process(const std::function<void()>& work) {
    const int process = fork();
    if (process < 0) throw std::runtime_error("cannot fork");
    if (process > 0) return process;
    try {
        work();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "in a child process: %s\n", error.what());
        _exit(1);
    }
    _exit(0);
}

bool succeeded(int process) {
    int status = -1;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

DeviceInfo h200() {
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.compute_major = 9;
    device.sm_count = 132;
    device.memory_bytes = 150'754'820'096;
    device.l2_bytes = 62'914'560;
    device.max_shared_bytes_per_block = 49'152;
    device.uuid = "GPU-11111111-2222-3333-4444-555555555555";
    device.peak_gb_per_s = 4814.0;
    return device;
}

ToolchainInfo toolchain() {
    return {"0.1.0", "13.0", "580.159.04"};
}

Candidate candidate(std::int64_t unroll, bool deterministic) {
    Candidate made;
    made.configuration.family = "grid_stride_wide";
    made.configuration.parameters = {{"block", std::int64_t{256}},
                                     {"unroll", unroll},
                                     {"finish", std::string(deterministic ? "publish" : "atomic")},
                                     {"blocks_per_sm", 0.5}};
    made.rule.block = 256;
    made.rule.tile = static_cast<std::uint64_t>(256 * unroll);
    made.rule.grid = GridRule::blocks_per_sm;
    made.rule.blocks_per_sm = 0.5;
    made.rule.sm_count = 132;
    made.rule.shared_bytes = 128;
    made.rule.slot_bytes = 4;
    made.deterministic = deterministic;
    return made;
}

Measurement measurement(double time_us, Stage stage) {
    Measurement made;
    made.stage = stage;
    for (int i = 0; i < 10; ++i) made.samples_us.push_back(time_us * (1 + 0.0013 * (i - 5)));
    made.median_us = time_us;
    made.interquartile_us = time_us * 0.00649;
    made.minimum_us = made.samples_us.front();
    made.rejected = 1;
    made.calls_per_sample = 100;
    made.floor_us = 1.5371;
    made.resources = {40, 1024, 0};
    made.circumstances = {1980, 3201, 41, 312.4, 4};
    made.measured_at = "2026-11-20T13:47:05Z";
    return made;
}

void add_winner(Store& store, const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                const Candidate& candidate, double time_us) {
    const std::int64_t sweep = store.begin_sweep(device, problem, toolchain(), "gpu", "redtune tune");
    const std::int64_t id = store.record(sweep, candidate, "hash", n, regime,
                                         make_plan(candidate.rule, extents_of(problem, n)), measurement(time_us));
    store.set_winner(sweep, n, regime, problem.determinism, id, "median", std::nullopt);
    store.finish_sweep(sweep, "finished");
}

}  // namespace redtune::db
