#include "tuner/cli/ncu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "redtune/error.h"
#include "tuner/core/environment.h"

namespace redtune::cli {

namespace {

using Path = std::filesystem::path;

/// The program that ncu starts. Under ncu, /proc/self/exe would be ncu.
Path own_program() {
    if (const auto program = environment_variable("REDTUNE_WORKER_PROGRAM")) return *program;
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

/// Returns the last lines of a text, in which a program says why it failed.
std::string last_lines(const std::string& text) {
    constexpr std::size_t most_lines = 6;
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    if (lines.size() > most_lines) lines.erase(lines.begin(), lines.end() - most_lines);
    return fmt::format("{}", fmt::join(lines, "\n"));
}

constexpr const char* not_permitted =
    "the driver does not permit this user to read hardware counters (ERR_NVGPUCTRPERM). Run the command as root; in a "
    "container, start it with --cap-add=SYS_ADMIN. To permit them to all users, write the line `options nvidia "
    "NVreg_RestrictProfilingToAdminUsers=0` to a file in /etc/modprobe.d as root, and restart the machine "
    "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)";

[[noreturn]] void throw_nothing_read(const Path& ncu, const Trial& trial, const std::string& printed) {
    throw DeviceError(fmt::format("{} read no hardware counters of {}; it printed:\n{}", ncu.string(),
                                  to_string(trial.configuration), last_lines(printed)));
}

/// Starts ncu, and under it this program, which makes the calls of one trial. The caches are empty before each kernel,
/// except in the regime warm.
/// @return what ncu printed
std::string run_ncu(const Path& ncu, const std::string& metrics, const search::WorkerTask& task,
                    const search::CompareRequest& calls, const CaptureLimits& limits) {
    const std::vector<std::string> words = {ncu.string(),
                                            "--csv",
                                            "--page",
                                            "raw",
                                            "--print-units",
                                            "base",
                                            "--clock-control",
                                            "none",
                                            "--cache-control",
                                            calls.regime == Regime::warm ? "none" : "all",
                                            "--metrics",
                                            metrics,
                                            own_program().string(),
                                            "launch",
                                            search::to_message(search::OpenRequest{task}),
                                            search::to_message(calls)};
    Captured printed = run_captured(words, limits);
    if (printed.text.find("ERR_NVGPUCTRPERM") != std::string::npos) throw DeviceError(not_permitted);
    // ncu ends with 0 also if it profiled nothing.
    if (printed.has_failed) throw_nothing_read(ncu, calls.trials.front(), printed.text);
    return std::move(printed.text);
}

}  // namespace

std::vector<Path> ncu_folders() {
    std::vector<Path> folders;
    std::istringstream path(environment_variable("PATH").value_or(""));
    for (std::string folder; std::getline(path, folder, ':');) folders.emplace_back(folder);
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const auto toolkit = environment_variable(name)) folders.push_back(Path(*toolkit) / "bin");
    }
    folders.emplace_back("/usr/local/cuda/bin");
    // A package of Nsight Compute has a folder named after its version.
    std::vector<Path> packaged;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/opt/nvidia/nsight-compute", none)) {
        packaged.push_back(entry.path());
    }
    std::sort(packaged.rbegin(), packaged.rend());
    folders.insert(folders.end(), packaged.begin(), packaged.end());
    return folders;
}

Path find_ncu(const std::vector<Path>& folders) {
    for (const Path& folder : folders) {
        std::error_code none;
        Path file = folder / "ncu";
        if (std::filesystem::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0) return file;
    }
    throw DeviceError(
        "hardware counters are read by ncu, the command line of Nsight Compute, and there is none on PATH, in "
        "/usr/local/cuda/bin or in /opt/nvidia/nsight-compute. The CUDA toolkit has it; with NVIDIA's package "
        "repository, "
        "`apt-get install cuda-nsight-compute-13-0` installs it alone");
}

std::vector<report::Counters> read_counters(const Path& ncu, const search::WorkerTask& task, const Trial& trial,
                                            std::uint64_t n) {
    const std::string printed = run_ncu(ncu, report::counter_metrics(), task, {{trial}, n, Regime::cold, 1}, {});
    try {
        return report::parse_counters(printed);
    } catch (const InputError&) {
        throw_nothing_read(ncu, trial, printed);
    }
}

search::ProfiledCall profile_call(const Path& ncu, const search::WorkerTask& task, const Trial& trial, std::uint64_t n,
                                  Regime regime, const CaptureLimits& limits) {
    constexpr std::uint32_t calls = report::discarded_calls + 5;
    const std::string printed = run_ncu(ncu, report::duration_metric, task, {{trial}, n, regime, calls}, limits);
    try {
        return report::parse_profiled_calls(printed, calls);
    } catch (const InputError&) {
        throw_nothing_read(ncu, trial, printed);
    }
}

}  // namespace redtune::cli
