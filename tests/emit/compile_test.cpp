#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/support/emissions.h"
#include "tests/support/shell.h"
#include "tests/support/source_path.h"
#include "tuner/core/environment.h"
#include "tuner/emit/c_file.h"
#include "tuner/emit/cuda_file.h"

namespace redtune::emit {
namespace {

using test_support::EmissionSource;
using test_support::run_shell;
using test_support::ShellResult;
using test_support::TunedProblem;

/// Returns the emitted code of a problem for some of its tuned sizes: a third of those of the user's database, which
/// has a family for each size, and two neighbouring ones of the shipped database. `turn` picks them.
Emission emission_of_some_sizes(const EmissionSource& source, const TunedProblem& tuned, const std::string& name,
                                std::size_t turn) {
    const auto sizes = source.catalog().tuned_sizes(tuned.problem, tuned.device, tuned.regime);
    const bool is_shipped = tuned.device != EmissionSource::made_up_device;
    const std::size_t count = is_shipped ? std::min<std::size_t>(2, sizes.size()) : (sizes.size() + 2) / 3;
    const std::size_t first = std::min(turn * (is_shipped ? 7 : count) % sizes.size(), sizes.size() - count);
    return source.emission(tuned, name, sizes[first], sizes[first + count - 1]);
}

/// Returns the emitted code of every problem that has winners: of those in the cold regime and of the user's database,
/// for some sizes of each, because most of the time goes into compiling kernels. All sizes if $REDTUNE_EVERY_EMISSION
/// is set.
std::vector<Emission> emissions_to_compile() {
    const EmissionSource source(true);
    const bool is_complete = environment_variable("REDTUNE_EVERY_EMISSION").has_value();
    std::vector<TunedProblem> tuned = source.shipped();
    if (!is_complete) {
        std::erase_if(tuned, [](const TunedProblem& each) {
            return each.regime != Regime::cold || each.problem.determinism != Determinism::any;
        });
    }
    for (TunedProblem& each : source.with_every_family()) tuned.push_back(std::move(each));
    std::vector<Emission> emissions;
    for (const TunedProblem& each : tuned) {
        const std::size_t turn = emissions.size();
        const std::string name = "emitted" + std::to_string(turn);
        emissions.push_back(is_complete ? source.emission(each, name)
                                        : emission_of_some_sizes(source, each, name, turn));
    }
    return emissions;
}

class EmittedCode : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    db::TemporaryFolder folder_;
};

TEST_F(EmittedCode, IsTheSameMachineCodeEveryTime) {
    const EmissionSource source(false);
    const Emission emission = source.emission(source.shipped().at(0), "emitted", 1 << 16, 1 << 18);
    EXPECT_GT(emission.kernels.size(), 2U);
    EXPECT_TRUE(compile_kernels(emission).cubins == compile_kernels(emission).cubins);
}

// NVRTC compiles the kernels of the .cuh file; the result goes into the C file, which C and C++ compilers accept.
TEST_F(EmittedCode, CompilesWithNvrtcAndAsC) {
    const std::vector<Emission> emissions = emissions_to_compile();
    std::string c_code;
    std::size_t kernels = 0;
    for (const Emission& emission : emissions) {
        MachineCode code = compile_kernels(emission);  // throws if a kernel does not compile
        for (std::string& cubin : code.cubins) {
            EXPECT_TRUE(
                cubin.starts_with("\x7f"
                                  "ELF"));
            // The compilers below take long for large arrays, and the first file has whole ones.
            if (!c_code.empty()) cubin.resize(64);
        }
        ASSERT_EQ(code.symbol_of_kernel.size(), emission.kernels.size());
        kernels += emission.kernels.size();
        c_code += c_file(emission, code);
    }
    std::printf("%zu problems, %zu kernels\n", emissions.size(), kernels);
    EXPECT_GE(emissions.size(), 35U);
    EXPECT_GT(kernels, 150U);
    db::write_file(path("all.c"), c_code);
    db::write_file(path("declarations.c"),
                   "#define emitted0_ONLY_DECLARATIONS\n" +
                       c_code.substr(0, c_code.find("emitted1_ONLY_DECLARATIONS")) +
                       "emitted1_ONLY_DECLARATIONS\n#endif\nint main(void) { return (int)sizeof(emitted0_code); }\n");
    // To warn of misleading indentation, GCC takes a time that grows with the square of the number of lines.
    for (const std::string compiler : {"cc -std=c99", "c++ -x c++", "c++ -std=c++20 -x c++"}) {
        const ShellResult compiled =
            run_shell(compiler + " -Wall -Wextra -Wno-misleading-indentation -Werror -fsyntax-only -isystem " +
                      test::cuda_include_folder() + " " + path("all.c"));
        EXPECT_EQ(compiled.status, 0) << compiler << "\n" << compiled.output.substr(0, 2000);
    }
}

/// Compiles a file with nvcc for the emissions' architecture. Skips the test if there is no nvcc.
ShellResult compile_with_nvcc(const std::string& nvcc, const std::string& file, const std::string& options) {
    return run_shell(nvcc + " -std=c++17 -arch=sm_90 -Xcompiler -Wall,-Wextra -Werror all-warnings " + options +
                     " -o " + file + ".out " + file);
}

std::string call_of(const Emission& emission) {
    const bool has_two = emission.request.problem.arrays == 2;
    return "    error = " + emission.request.name + "::reduce(" + (has_two ? "Any{}, Any{}" : "Any{}") +
           ", n, Any{}, Any{}, nullptr) == cudaSuccess ? error : 1;\n";
}

// Two files in one translation unit, and the same file in two translation units of one program.
TEST_F(EmittedCode, CompilesWithNvccSeveralTimesInOneProgram) {
    const std::string nvcc = test_support::find_nvcc();
    if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc: not on the PATH, not in $NVCC, not in /usr/local/cuda/bin";
    const EmissionSource source(true);
    const Emission sum = source.emission(source.shipped().at(0), "first", 1 << 16, 1 << 17);
    const Emission every_family = source.emission(source.with_every_family().at(0), "second");
    db::write_file(path("first.cuh"), cuda_file(sum).text());
    db::write_file(path("second.cuh"), cuda_file(every_family).text());
    const std::string any = "struct Any { template <class T> operator T*() const { return nullptr; } };\n";
    db::write_file(
        path("main.cu"),
        "#include \"first.cuh\"\n#include \"second.cuh\"\n#include \"first.cuh\"\n" + any +
            "int other(unsigned long n);\nint main() {\n    int error = 0;\n    const unsigned long n = 100000;\n" +
            call_of(sum) + call_of(every_family) + "    return error + other(n);\n}\n");
    db::write_file(path("other.cu"), "#include \"first.cuh\"\n" + any +
                                         "int other(unsigned long n) {\n    int error = 0;\n" + call_of(sum) +
                                         "    return error;\n}\n");
    const ShellResult compiled = compile_with_nvcc(nvcc, path("main.cu"), path("other.cu"));
    EXPECT_EQ(compiled.status, 0) << compiled.output.substr(0, 4000);
}

TEST_F(EmittedCode, CompilesWithNvccForOtherTypesOperatorsAndRows) {
    const std::string nvcc = test_support::find_nvcc();
    if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc: not on the PATH, not in $NVCC, not in /usr/local/cuda/bin";
    const EmissionSource source(true);
    const std::string any = "struct Any { template <class T> operator T*() const { return nullptr; } };\n";
    std::string text;
    std::string calls;
    for (const TunedProblem& tuned : source.with_every_family()) {
        const std::string& op = tuned.problem.op;
        if (op != "argmin" && op != "argmax" && op != "dot" && op != "sum_of_cubes" && op != "max") continue;
        const Emission emission = source.emission(tuned, "emitted_" + op);
        text += cuda_file(emission).text();
        calls += call_of(emission);
    }
    db::write_file(path("main.cu"), text + any +
                                        "int main() {\n    int error = 0;\n    const unsigned long n = 77000;\n" +
                                        calls + "    return error;\n}\n");
    const ShellResult compiled = compile_with_nvcc(nvcc, path("main.cu"), "");
    EXPECT_EQ(compiled.status, 0) << compiled.output.substr(0, 4000);
}

// A compiler without CUDA sees the functions that compute the workspace.
TEST_F(EmittedCode, TellsOtherCompilersTheWorkspace) {
    const EmissionSource source(false);
    const Emission emission = source.emission(source.shipped().at(0), "plain", 1 << 16, 1 << 17);
    db::write_file(path("plain.cuh"), cuda_file(emission).text());
    db::write_file(path("main.cpp"),
                   "#include \"plain.cuh\"\n"
                   "int main() { return plain::workspace_bytes(1 << 16) < plain::zeroed_bytes; }\n");
    const ShellResult compiled = run_shell("c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -o " + path("plain") + " " +
                                           path("main.cpp") + " && " + path("plain"));
    EXPECT_EQ(compiled.status, 0) << compiled.output;
}

}  // namespace
}  // namespace redtune::emit
