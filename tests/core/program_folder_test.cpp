#include "tuner/core/program_folder.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace redtune {
namespace {

TEST(ProgramFolder, ContainsTheRunningProgram) {
    EXPECT_TRUE(program_folder().is_absolute());
    EXPECT_TRUE(std::filesystem::is_regular_file(program_folder() / program_invocation_short_name));
}

}  // namespace
}  // namespace redtune
