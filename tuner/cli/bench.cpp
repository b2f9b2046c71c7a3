#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "redtune/error.h"
#include "tuner/cli/bench_options.h"
#include "tuner/cli/command.h"
#include "tuner/cli/help.h"
#include "tuner/cli/unknown_argument.h"
#include "tuner/core/environment.h"
#include "tuner/core/program_folder.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

constexpr const char* program_name = "redtune-bench";

bool is_program(const std::filesystem::path& path) {
    std::error_code none;
    return std::filesystem::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

/// Returns the path of redtune-bench: $REDTUNE_BENCH_PROGRAM if it is set, else the program in this program's folder,
/// else the one in $PATH.
/// @throws InputError if the variable names no program; Error if there is no program, with the command that builds it
std::filesystem::path find_program() {
    if (const auto given = environment_variable("REDTUNE_BENCH_PROGRAM")) {
        if (is_program(*given)) return *given;
        throw InputError(
            fmt::format("REDTUNE_BENCH_PROGRAM is {}, which is no program; give the path of a {}, or unset it", *given,
                        program_name));
    }
    const std::filesystem::path own_folder = program_folder();
    if (auto beside = own_folder / program_name; !own_folder.empty() && is_program(beside)) return beside;
    std::istringstream folders(environment_variable("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (auto found = std::filesystem::path(folder) / program_name; is_program(found)) return found;
    }
    throw Error(
        fmt::format("there is no {} beside this program or in $PATH; it is built with nvcc, from CUDA's toolkit: "
                    "`./scripts/redtune bench` does that where there is an nvcc, else cmake --preset release "
                    "-DREDTUNE_BENCH=ON && cmake --build --preset release --target redtune_bench",
                    program_name));
}

/// Replaces this process with the program (execv). Never returns.
/// @throws Error if the program cannot be started
[[noreturn]] void replace_process(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    throw Error(fmt::format("{} could not be started: {}", program.string(), std::strerror(errno)));
}

int run(const std::vector<std::string>& arguments, WhyNoDevice why_no_device) {
    BenchOptions options;
    CLI::App app("Compares tuned reductions with CUB, cell by cell: interleaved samples on the same inputs",
                 "redtune bench");
    fit_help(app);
    add_bench_options(app, options);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return done;
    } catch (const CLI::ExtrasError&) {
        if (const auto explanation = explain_unknown_argument(app, arguments)) throw InputError(*explanation);
        throw;
    }
    parse_bench(options);
    if (const std::string why = why_no_device(); !why.empty()) {
        throw DeviceError(fmt::format(
            "bench times kernels, so it needs a GPU, and there is none: {}. `redtune doctor` says what to do", why));
    }
    replace_process(find_program(), arguments);
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code, WhyNoDevice why_no_device) {
    CLI::App* command =
        app.add_subcommand("bench", "Compares tuned reductions with CUB, cell by cell; runs redtune-bench");
    // redtune-bench gets every argument, so this command parses none of them, not even --help.
    command->set_help_flag();
    command->prefix_command();
    if (why_no_device == nullptr) why_no_device = gpu::why_no_device;
    command->callback([command, why_no_device, &exit_code] { exit_code = run(command->remaining(), why_no_device); });
}

}  // namespace redtune::cli
