#include "tuner/core/library_folder.h"

#include <gtest/gtest.h>

#include "tuner/core/program_folder.h"

namespace redtune {
namespace {

// tests/consumer looks at the folder of the shared library.
TEST(LibraryFolder, IsTheProgramsIfTheLibraryIsInTheProgram) {
    EXPECT_EQ(library_folder(), program_folder());
}

}  // namespace
}  // namespace redtune
