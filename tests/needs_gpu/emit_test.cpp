#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/support/emissions.h"
#include "tests/support/shell.h"
#include "tests/support/source_path.h"
#include "tuner/core/parallel.h"
#include "tuner/emit/c_file.h"
#include "tuner/emit/cuda_file.h"
#include "tuner/launch/enqueue.h"

namespace redtune {
namespace {

using test_support::EmissionSource;
using test_support::LoadedCandidates;
using test_support::SharedLibrary;
using test_support::TunedProblem;

constexpr std::uint64_t most_n = std::uint64_t{4} << 20;
constexpr std::uint64_t most_n_of_nvcc = std::uint64_t{256} << 10;  // nvcc takes seconds for each kernel

/// The function that the libraries of this test export. Returns the error code.
using Call = int(CUdeviceptr x, CUdeviceptr y, std::uint64_t n, CUdeviceptr output, CUdeviceptr workspace,
                 CUstream stream);

/// Emitted code as a loaded library.
struct EmittedLibrary {
    db::TemporaryFolder folder;
    std::optional<SharedLibrary> library;
    Call* call = nullptr;
};

constexpr std::string_view parameters =
    "(uint64_t x, uint64_t y, uint64_t n, uint64_t output, uint64_t workspace, void* stream)";

/// Compiles a source into a library and loads it.
std::unique_ptr<EmittedLibrary> load_library(const std::string& compiler, const std::string& file,
                                             const std::string& source) {
    auto loaded = std::make_unique<EmittedLibrary>();
    const std::string path = (loaded->folder / file).string();
    db::write_file(path, source);
    const auto compiled = test_support::run_shell(fmt::format("{} -shared -o {}.so {}", compiler, path, path));
    if (compiled.status != 0) throw std::runtime_error("the compiler failed: " + compiled.output);
    loaded->library.emplace(path + ".so");
    loaded->call = loaded->library->find<Call>("call");
    return loaded;
}

std::unique_ptr<EmittedLibrary> load_c_file(const emit::Emission& emission) {
    const std::string& name = emission.request.name;
    const char* inputs = emission.request.problem.arrays == 2 ? "x, y" : "x";
    const std::string source = emit::c_file(emission, emit::compile_kernels(emission)) +
                               fmt::format(
                                   "static {0}_code code;\n"
                                   "int call{1} {{\n"
                                   "    CUresult error = code.context == NULL ? {0}_load(&code) : CUDA_SUCCESS;\n"
                                   "    (void)y;\n"
                                   "    return error != CUDA_SUCCESS ? error : {0}_reduce(&code, {2}, n, output, "
                                   "workspace, (CUstream)stream);\n"
                                   "}}\n",
                                   name, parameters, inputs);
    return load_library("cc -std=c99 -fPIC -isystem " + test::cuda_include_folder(), "emitted.c", source);
}

std::unique_ptr<EmittedLibrary> load_cuda_file(const emit::Emission& emission) {
    const char* inputs = emission.request.problem.arrays == 2 ? "Any{x}, Any{y}" : "Any{x}";
    const std::string source =
        emit::cuda_file(emission).text() +
        fmt::format(
            "struct Any {{ uint64_t value; template <class T> operator T*() const {{ return (T*)value; }} }};\n"
            "extern \"C\" int call{} {{\n"
            "    return {}::reduce({}, n, Any{{output}}, Any{{workspace}}, (cudaStream_t)stream);\n"
            "}}\n",
            parameters, emission.request.name, inputs);
    return load_library(test_support::find_nvcc() + " -std=c++17 -arch=sm_90 -Xcompiler -fPIC", "emitted.cu", source);
}

/// Compares emitted code with the library, on values whose result does not depend on the order of combination.
class EmittedOnGpu : public ::testing::Test {
  protected:
    void SetUp() override {
        if (gpu::device_at(0).info.compute_major != 9) GTEST_SKIP() << "the shipped winners are for sm_90";
        // The emitted C code calls the driver, which the program opens at run time.
        ASSERT_NE(dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
    }

    /// A problem with its emitted code.
    struct EmittedProblem {
        TunedProblem tuned;
        emit::Emission emission;
        std::unique_ptr<EmittedLibrary> library;
    };

    using Load = std::function<std::unique_ptr<EmittedLibrary>(const emit::Emission&)>;

    /// Compares the results at both ends of every interval, with one workspace for all sizes.
    std::size_t compare(const TunedProblem& tuned, const emit::Emission& emission, const EmittedLibrary& emitted) {
        LoadedCandidates loaded(tuned.problem, most_n + 8);
        gpu::DeviceBuffer workspace(emission.workspace_bytes);
        workspace.fill(0xff);
        workspace.fill(0, emission.zeroed_bytes, 0, loaded.stream().handle());
        const Selector selector = catalog_.select(tuned.problem, loaded.device(), {.regime = tuned.regime});
        const std::vector<std::uint64_t> sizes = ends_of_intervals(emission);
        std::vector<Trial> trials;
        for (const std::uint64_t n : sizes) {
            if (const auto match = selector.find(n)) trials.push_back(trial_of(*match));
        }
        loaded.prepare(trials);
        std::size_t compared = 0;
        for (const std::uint64_t n : sizes) {
            for (const std::uint64_t offset : {0, 1}) {
                const launch::InputArrays arrays = loaded.inputs().exact(offset);
                const std::string got = results(loaded, n, [&](CUdeviceptr output) {
                    EXPECT_EQ(emitted.call(arrays.first, arrays.second, n, output, workspace.address(),
                                           loaded.stream().handle()),
                              0);
                });
                EXPECT_EQ(difference(got, expected(loaded, selector, n, arrays)), "")
                    << tuned.problem.op << " " << to_string(tuned.problem.input) << " " << shape_name(tuned.problem)
                    << " n = " << n << " + " << offset;
                ++compared;
            }
        }
        std::string zeroed(emission.zeroed_bytes, '?');
        workspace.copy_to_host(zeroed.data(), zeroed.size());
        EXPECT_EQ(difference(zeroed, std::string(emission.zeroed_bytes, '\0')), "")
            << "every call leaves the zeroed part zero";
        return compared;
    }

    /// Compares the code for every shipped problem, for up to `most` elements.
    void compare_all(const Load& load, std::uint64_t most) {
        const EmissionSource source(false);
        std::vector<EmittedProblem> problems;
        for (const TunedProblem& tuned : source.shipped()) {
            if (tuned.regime == Regime::warm || tuned.problem.determinism != Determinism::any) continue;
            const std::uint64_t unit = shape_of(tuned.problem).unit();
            if (unit > most) continue;  // the inputs have less than a row
            // Every library has names of its own: the process has only one variable of each name that is `inline` in
            // C++.
            const std::string name = fmt::format("emitted{}", problems.size());
            problems.push_back({tuned, source.emission(tuned, name, 0, most / unit * unit), nullptr});
        }
        std::vector<EmittedProblem*> to_load;
        for (EmittedProblem& problem : problems) to_load.push_back(&problem);
        // Compilers are programs of their own, so they can run at once.
        const auto load_one = [&](EmittedProblem* problem) {
            try {
                problem->library = load(problem->emission);
            } catch (const std::exception& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        for_each_in_parallel(to_load, one_thread_per_core(), load_one,
                             [](const std::string& failure) { EXPECT_EQ(failure, ""); });
        std::size_t compared = 0;
        for (const EmittedProblem& problem : problems) {
            if (problem.library != nullptr) compared += compare(problem.tuned, problem.emission, *problem.library);
        }
        std::printf("%zu problems, %zu sizes and alignments\n", problems.size(), compared);
        EXPECT_GE(problems.size(), 20U);
    }

  private:
    /// Returns the last size of each interval and the first one of the next, as far as they are in the request.
    static std::vector<std::uint64_t> ends_of_intervals(const emit::Emission& emission) {
        const std::uint64_t most = emission.request.most;
        const std::uint64_t unit = shape_of(emission.request.problem).unit();
        std::vector<std::uint64_t> sizes;
        for (const emit::SizeInterval& interval : emission.intervals) {
            if (interval.last_n > most) break;  // perhaps the largest number that there is
            sizes.push_back(interval.last_n);
            if (interval.last_n + unit <= most) sizes.push_back(interval.last_n + unit);
        }
        return sizes;
    }

    static Trial trial_of(const Match& match) {
        Trial trial;
        trial.configuration.family = match.family;
        trial.configuration.parameters.assign(match.parameters.begin(), match.parameters.end());
        trial.rule = *match.rule;
        return trial;
    }

    /// Returns the bytes of the results that `enqueue` writes.
    static std::string results(LoadedCandidates& loaded, std::uint64_t n,
                               const std::function<void(CUdeviceptr)>& enqueue) {
        std::string bytes(result_count(loaded.problem(), n) * size_of(loaded.problem().output), '\0');
        gpu::DeviceBuffer output(bytes.size());
        output.fill(0xee);
        enqueue(output.address());
        loaded.stream().synchronize();
        output.copy_to_host(bytes.data(), bytes.size());
        return bytes;
    }

    /// Returns where the bytes of two results differ, and not what they are, which may be megabytes; empty if they are
    /// equal.
    static std::string difference(const std::string& got, const std::optional<std::string>& expected) {
        if (!expected) return "there is no configuration";
        const auto [in_got, in_expected] = std::ranges::mismatch(got, *expected);
        if (in_got == got.end() && in_expected == expected->end()) return "";
        return fmt::format("bytes differ from number {} of {} on", in_got - got.begin(), expected->size());
    }

    /// Returns the results of the library's launches; nullopt if there is no configuration.
    static std::optional<std::string> expected(LoadedCandidates& loaded, const Selector& selector, std::uint64_t n,
                                               const launch::InputArrays& arrays) {
        const auto match = selector.find(n);
        if (!match) return std::nullopt;
        const launch::LoadedKernel kernel = loaded.load(trial_of(*match));
        gpu::DeviceBuffer workspace(match->plan.workspace_bytes);
        workspace.fill(0);
        return results(loaded, n, [&](CUdeviceptr output) {
            launch::enqueue(kernel, match->plan, arrays, output, workspace.address(), loaded.stream().handle());
        });
    }

    Catalog catalog_ =
        Catalog::open({.user_database = std::filesystem::path("/nonexistent"), .system_data = test::shipped_data()});
};

TEST_F(EmittedOnGpu, CCodeGivesTheResultsOfTheLibrary) {
    if (!test_support::has_program("cc")) GTEST_SKIP() << "there is no C compiler";
    compare_all(load_c_file, most_n);
}

TEST_F(EmittedOnGpu, CudaCodeGivesTheResultsOfTheLibrary) {
    if (test_support::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    compare_all(load_cuda_file, most_n_of_nvcc);
}

}  // namespace
}  // namespace redtune
