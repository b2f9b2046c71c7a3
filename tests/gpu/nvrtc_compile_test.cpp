#include <gmock/gmock.h>

#include <array>
#include <thread>

#include "tuner/gpu/nvrtc.h"

namespace redtune::gpu {
namespace {

using testing::HasSubstr;

const std::vector<Header> headers = {
    {"kernels/scale.h", "template <int factor> __device__ float scale(float x) { return x * factor; }\n"}};

constexpr const char* source = R"(
#include "kernels/scale.h"
template <int factor> __global__ void apply(float* data) { data[threadIdx.x] = scale<factor>(data[threadIdx.x]); }
)";

class NvrtcCompile : public testing::Test {
  protected:
    void SetUp() override {
        if (Nvrtc::find() == nullptr) GTEST_SKIP() << Nvrtc::why_missing();
    }
    static CompiledProgram compile(const std::string& text, const std::vector<std::string>& names,
                                   const std::string& architecture = "sm_90") {
        return Nvrtc::get().compile(text, "test.cu", headers,
                                    {"--gpu-architecture=" + architecture, "--ptxas-options=-v"}, names);
    }
    /// Compiles a program that must not compile, and returns the error.
    static NvrtcError failure(const std::string& text, const std::vector<std::string>& names,
                              const std::string& architecture = "sm_90") {
        try {
            compile(text, names, architecture);
        } catch (const NvrtcError& error) {
            return error;
        }
        ADD_FAILURE() << "it compiled";
        return {"", ""};
    }
};

TEST_F(NvrtcCompile, GivesACubinAndANameForEachExpression) {
    const CompiledProgram program = compile(source, {"apply<2>", "apply<3>"});
    EXPECT_THAT(program.cubin, testing::StartsWith("\x7f"
                                                   "ELF"));
    ASSERT_EQ(program.lowered_names.size(), 2U);
    EXPECT_NE(program.lowered_names[0], program.lowered_names[1]);
    for (const std::string& name : program.lowered_names) {
        EXPECT_THAT(name, HasSubstr("apply"));
        EXPECT_THAT(program.cubin, HasSubstr(name));
        EXPECT_THAT(program.log, HasSubstr(name)) << "ptxas reports each kernel";
    }
}

TEST_F(NvrtcCompile, TheSameProgramGivesTheSameCode) {
    EXPECT_EQ(compile(source, {"apply<2>"}).cubin, compile(source, {"apply<2>"}).cubin);
}

TEST_F(NvrtcCompile, AnErrorCarriesTheLog) {
    const NvrtcError error = failure("__global__ void broken() { undeclared(); }", {});
    EXPECT_THAT(error.log(), HasSubstr("undeclared"));
    EXPECT_THAT(error.log(), HasSubstr("test.cu(1)"));
    EXPECT_THAT(error.what(), HasSubstr(error.log()));
}

TEST_F(NvrtcCompile, AVirtualArchitectureIsRefusedWithTheRemedy) {
    EXPECT_THAT(failure(source, {"apply<2>"}, "compute_90").what(), HasSubstr("sm_90"));
}

TEST_F(NvrtcCompile, AnUnknownArchitectureIsRefused) {
    EXPECT_THAT(failure(source, {"apply<2>"}, "sm_1").what(), HasSubstr("test.cu"));
}

TEST_F(NvrtcCompile, ThreadsCompileAtTheSameTime) {
    const std::string expected = compile(source, {"apply<4>"}).cubin;
    std::array<std::string, 2> cubins;
    std::string broken_log;
    {
        std::array<std::jthread, 2> threads;
        for (std::size_t i = 0; i < threads.size(); ++i) {
            threads[i] = std::jthread([&cubin = cubins[i]] {
                for (int round = 0; round < 3; ++round) cubin = compile(source, {"apply<4>"}).cubin;
            });
        }
        broken_log = failure("__global__ void broken() { undeclared(); }", {}).log();
    }
    EXPECT_EQ(cubins[0], expected);
    EXPECT_EQ(cubins[1], expected);
    EXPECT_THAT(broken_log, HasSubstr("undeclared"));
}

}  // namespace
}  // namespace redtune::gpu
