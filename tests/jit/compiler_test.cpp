#include "tuner/jit/compiler.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "db/space.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tests/support/source_path.h"
#include "tuner/jit/cache_entry.h"
#include "tuner/jit/operator_file.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::jit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CompilerTest : public ::testing::Test {
  protected:
    KernelName good(int block) const {
        return {"templates/single_block.cuh", "redtune::single_block<" +
                                                  launch::device_problem(make_problem("sum", Type::f32)) + ", " +
                                                  std::to_string(block) + ", 1, 16, 0>"};
    }

    static const gpu::Nvrtc* no_nvrtc() { return nullptr; }
    static constexpr CompilerOptions without_nvrtc = {.accepted = Accepted::of_any_nvrtc, .find_nvrtc = no_nvrtc};

    std::string error_of(Compiler& compiler, const std::vector<KernelName>& names) const {
        try {
            compiler.compile(names);
            return "no error";
        } catch (const DeviceError& error) {
            return error.what();
        }
    }
    std::string error_of(Compiler& compiler) const { return error_of(compiler, {good(32)}); }

    static std::size_t count_from_cache(Compiler&& compiler, const std::vector<KernelName>& names) {
        CompileCounts counts;
        compiler.compile(names, [&](const CompileCounts& now) { counts = now; });
        return counts.from_cache;
    }

    /// Returns the key of a kernel that is in the cache.
    KernelKey key_of(const KernelName& name) const {
        for (const auto& file : std::filesystem::directory_iterator(cache_.folder())) {
            const std::optional<CacheEntry> entry = decode_entry(read_text(file.path().string()));
            const std::optional<KernelKey> key = entry ? parse_kernel_key(entry->key) : std::nullopt;
            if (key && key->expression == name.expression) return *key;
        }
        ADD_FAILURE() << "the kernel is not in the cache";
        return {};
    }

    db::TemporaryFolder folder_;
    SourceSet sources_ = SourceSet::load();
    CubinCache cache_{folder_.path() / "cache", std::uint64_t{64} << 20};
};

TEST_F(CompilerTest, KernelsOfOneSourceShareACubin) {
    Compiler compiler(sources_, cache_, "sm_90", {.threads = 1});
    const auto kernels = compiler.compile({good(32), good(64)});
    ASSERT_EQ(kernels.size(), 2U);
    for (const CompiledKernel& kernel : kernels) {
        ASSERT_EQ(kernel.error, "");
        EXPECT_EQ(kernel.cubin->substr(1, 3), "ELF");
        EXPECT_NE(kernel.cubin->find(kernel.symbol), std::string::npos);
        EXPECT_GT(kernel.resources.registers, 0U);
        EXPECT_EQ(kernel.resources.spill_bytes, 0U);
    }
    EXPECT_EQ(kernels[0].cubin, kernels[1].cubin);
    EXPECT_NE(kernels[0].symbol, kernels[1].symbol);
    EXPECT_EQ(kernels[0].resources.shared_bytes, 0U) << "one warp needs no shared memory";
    EXPECT_GT(kernels[1].resources.shared_bytes, 0U);
}

// Compiles the two example files that the documentation refers to.
TEST_F(CompilerTest, AUsersFamilyAndOperatorCompileWithOurs) {
    const std::string example_family = test::source_path("examples/contiguous.cuh");
    const OperatorFile own = read_operator_file(test::source_path("examples/sum_of_cubes.cuh"));
    sources_.add_template(example_family);
    sources_.add_operator(own.path, own.text);
    const std::vector<Family> families = sources_.families();
    std::vector<KernelName> names;
    for (const auto& [input, types] : own.types) {
        const Problem problem = make_problem(own, input);
        for (const char* name : {"contiguous", "grid_stride_wide", "shared_sequential"}) {
            const auto candidates = db::candidates(find_family(families, name), test_support::h200(), problem, 1 << 24);
            ASSERT_FALSE(candidates.empty()) << name;
            for (const KernelRole role : roles_of(candidates.front().rule)) {
                names.push_back(launch::kernel_name(find_family(families, name), problem,
                                                    {candidates.front().configuration, candidates.front().rule}, role));
            }
        }
    }
    const auto kernels = Compiler(sources_, cache_, "sm_90").compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(kernels[i].error, "") << names[i].expression;
        EXPECT_NE(names[i].expression.find("redtune::SumOfCubes<"), std::string::npos);
    }
    EXPECT_GE(names.size(), 3 * own.types.size());

    // Without the operator's file, the compiler reports an unknown name.
    const auto without = Compiler(SourceSet::load(), cache_, "sm_90").compile({names.back()});
    EXPECT_NE(without[0].error.find("SumOfCubes"), std::string::npos) << without[0].error;
}

TEST_F(CompilerTest, AChangedOperatorIsCompiledAgain) {
    const OperatorFile own = read_operator_file(test::source_path("examples/sum_of_cubes.cuh"));
    const KernelName name{
        "templates/single_block.cuh",
        "redtune::single_block<" + launch::device_problem(make_problem(own, Type::f32)) + ", 32, 1, 16, 0>"};
    const auto from_cache = [&](const std::string& text) {
        SourceSet sources = SourceSet::load();
        sources.add_operator(own.path, text);
        CompileCounts counts;
        const auto kernels =
            Compiler(sources, cache_, "sm_90").compile({name}, [&](const CompileCounts& now) { counts = now; });
        EXPECT_EQ(kernels[0].error, "");
        return counts.from_cache;
    };
    EXPECT_EQ(from_cache(own.text), 0U);
    EXPECT_EQ(from_cache(own.text), 1U);
    EXPECT_EQ(from_cache(own.text + "// a comment\n"), 1U);
    EXPECT_EQ(from_cache(own.text + "struct Unused {};\n"), 0U);
}

TEST_F(CompilerTest, ASourceThatIsIncludedFirstBelongsToTheKernel) {
    const std::string file = folder_ / "first.cuh";
    KernelName name = good(32);
    name.included_first = file;
    CompileCounts counts;
    const auto compile = [&](const std::string& text) {
        std::ofstream(file) << text;
        SourceSet sources = SourceSet::load();
        sources.add_template(file);
        return Compiler(sources, cache_, "sm_90").compile({name}, [&](const CompileCounts& now) { counts = now; })[0];
    };
    EXPECT_EQ(compile("#pragma once\n").error, "");
    EXPECT_EQ(counts.from_cache, 0U);
    EXPECT_EQ(compile("#pragma once\n").error, "");
    EXPECT_EQ(counts.from_cache, 1U);
    EXPECT_EQ(compile("#pragma once\nstruct Unused {};\n").error, "");
    EXPECT_EQ(counts.from_cache, 0U) << "its code is part of the kernel's key";
    // The family's file defines the namespace, so this compiles only after it.
    EXPECT_THAT(compile("#pragma once\nusing namespace redtune;\n").error, HasSubstr("redtune"));
}

TEST_F(CompilerTest, ASecondCompilerFindsThemInTheCache) {
    const std::vector<KernelName> names = {good(32), good(64)};
    const auto first = Compiler(sources_, cache_, "sm_90").compile(names);
    CompileCounts counts;
    const auto second =
        Compiler(sources_, cache_, "sm_90").compile(names, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.from_cache, 2U);
    EXPECT_EQ(*second[1].cubin, *first[1].cubin);
    EXPECT_EQ(second[1].symbol, first[1].symbol);
    EXPECT_EQ(second[1].resources.registers, first[1].resources.registers);
    Compiler(sources_, cache_, "sm_80").compile(names, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.from_cache, 0U) << "another architecture is another cubin";
}

TEST_F(CompilerTest, ABadKernelFailsAlone) {
    Compiler compiler(sources_, cache_, "sm_90", {.threads = 1});
    KernelName bad = good(33);  // a static_assert demands whole warps
    CompileCounts counts;
    const auto kernels = compiler.compile({good(32), bad, good(64)}, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(kernels[0].error, "");
    EXPECT_NE(kernels[1].error.find("whole warps"), std::string::npos) << kernels[1].error;
    EXPECT_EQ(kernels[2].error, "");
    EXPECT_EQ(counts.failed, 1U);
    EXPECT_EQ(counts.done, 3U);
}

TEST_F(CompilerTest, StopsBetweenPrograms) {
    const std::atomic<bool> stop = true;
    const auto kernels = Compiler(sources_, cache_, "sm_90").compile({good(32)}, {}, &stop);
    EXPECT_EQ(kernels[0].error, "stopped");
}

TEST_F(CompilerTest, AnUnknownArchitectureIsADeviceError) {
    Compiler compiler(sources_, cache_, "sm_10");
    EXPECT_THAT(error_of(compiler), AllOf(HasSubstr("makes no code for sm_10"), HasSubstr("pip install")));
}

TEST_F(CompilerTest, AFileThatAKernelDoesNotIncludeDoesNotMatter) {
    Compiler(sources_, cache_, "sm_90").compile({good(32)});
    sources_.add_template(test::source_path("examples/contiguous.cuh"));
    EXPECT_EQ(count_from_cache(Compiler(sources_, cache_, "sm_90"), {good(32)}), 1U);
}

TEST_F(CompilerTest, WhatWasCompiledIsNotReadAgain) {
    Compiler compiler(sources_, cache_, "sm_90");
    const auto first = compiler.compile({good(32)});
    std::filesystem::remove_all(cache_.folder());
    CompileCounts counts;
    const auto second = compiler.compile({good(32)}, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.from_cache, 1U);
    EXPECT_EQ(second[0].cubin, first[0].cubin);
}

// In the tests below, `hidden` is a compiler that finds no NVRTC.
TEST_F(CompilerTest, CachedKernelsNeedNoNvrtc) {
    const std::vector<KernelName> names = {good(32), good(64)};
    const auto compiled = Compiler(sources_, cache_, "sm_90").compile(names);
    Compiler hidden(sources_, cache_, "sm_90", without_nvrtc);
    const auto found = hidden.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(found[i].error, "");
        EXPECT_EQ(*found[i].cubin, *compiled[i].cubin);
        EXPECT_EQ(found[i].symbol, compiled[i].symbol);
        EXPECT_EQ(found[i].resources, compiled[i].resources);
        EXPECT_EQ(found[i].nvrtc, gpu::Nvrtc::get().build_identity());
        EXPECT_EQ(found[i].architecture, "sm_90");
    }
}

TEST_F(CompilerTest, AMissingKernelWithoutNvrtcNamesTheRemedies) {
    Compiler(sources_, cache_, "sm_90").compile({good(32)});
    Compiler hidden(sources_, cache_, "sm_90", without_nvrtc);
    EXPECT_THAT(error_of(hidden, {good(32), good(64)}),
                AllOf(HasSubstr("1 of 2 kernels for sm_90"), HasSubstr(cache_.folder().string()),
                      HasSubstr("redtune warm --arch sm_90"), HasSubstr("pip install nvidia-cuda-nvrtc")));
}

TEST_F(CompilerTest, TheTunerNeedsItsNvrtc) {
    Compiler(sources_, cache_, "sm_90").compile({good(32)});
    Compiler hidden(sources_, cache_, "sm_90", {.find_nvrtc = no_nvrtc});
    EXPECT_THAT(error_of(hidden), HasSubstr("no kernel can be compiled"));
}

TEST_F(CompilerTest, WithoutNvrtcALowerMinorVersionIsTheLastResort) {
    Compiler(sources_, cache_, "sm_80").compile({good(32)});
    EXPECT_EQ(count_from_cache(Compiler(sources_, cache_, "sm_89", {.accepted = Accepted::of_any_nvrtc}), {good(64)}),
              0U);
    Compiler hidden(sources_, cache_, "sm_89", without_nvrtc);
    EXPECT_EQ(hidden.compile({good(32)})[0].architecture, "sm_80");
    EXPECT_EQ(hidden.compile({good(64)})[0].architecture, "sm_89");
    Compiler other(sources_, cache_, "sm_90", without_nvrtc);
    EXPECT_THAT(error_of(other), HasSubstr("in no kernel cache"));
}

// Imitates a kernel of another NVRTC: rewrites the NVRTC in the entry of the cache.
TEST_F(CompilerTest, OnlyTheLibraryTakesKernelsOfAnotherNvrtc) {
    const auto made = Compiler(sources_, cache_, "sm_90").compile({good(32)});
    CompiledKernel other = made[0];
    other.nvrtc = "nvrtc 12.0 another";
    KernelStore(cache_).put({key_of(good(32))}, {other});
    Compiler library(sources_, cache_, "sm_90", {.accepted = Accepted::of_any_nvrtc});
    EXPECT_EQ(library.compile({good(32)})[0].nvrtc, other.nvrtc);
    EXPECT_EQ(count_from_cache(Compiler(sources_, cache_, "sm_90"), {good(32)}), 0U);
    EXPECT_EQ(count_from_cache(Compiler(sources_, cache_, "sm_90"), {good(32)}), 1U) << "it was replaced";
}

}  // namespace
}  // namespace redtune::jit
