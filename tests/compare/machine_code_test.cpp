#include "compare/machine_code.h"

#include <gtest/gtest.h>

namespace redtune::compare {
namespace {

jit::CompiledKernel kernel(const std::string& cubin) {
    jit::CompiledKernel compiled;
    compiled.cubin = std::make_shared<const std::string>(cubin);
    compiled.symbol = "kernel";
    return compiled;
}

TEST(MachineCode, WhatIsNoCubinIsNotTheSame) {
    const std::string header_only = std::string(
                                        "\x7f"
                                        "ELF") +
                                    std::string(60, '\xff');
    for (const std::string& file : {std::string(), std::string("text"),
                                    std::string("\x7f"
                                                "ELF"),
                                    header_only}) {
        EXPECT_FALSE(have_same_code(kernel(file), kernel(file))) << file.size() << " bytes";
    }
}

TEST(MachineCode, AKernelThatDidNotCompileIsNotTheSame) {
    EXPECT_FALSE(have_same_code(jit::CompiledKernel{}, jit::CompiledKernel{}));
}

}  // namespace
}  // namespace redtune::compare
