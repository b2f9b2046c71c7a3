#include "tuner/jit/source_set.h"

#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::jit {
namespace {

using db::ScopedVariable;
using db::TemporaryFolder;

class SourceFolder : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(folder_ / "templates");
        std::filesystem::create_directory(folder_ / "kernels_src");
        write("kernels_src/deep.cuh", "int deep = 1; // a comment\n");
        write("kernels_src/part.cuh", "#include \"kernels_src/deep.cuh\"\nint part = 1;\n");
        write("templates/mine.cuh", family("mine") + "#include \"kernels_src/part.cuh\"\n__global__ void mine() {}\n");
    }

    static std::string family(const std::string& name) {
        return "/*redtune\nfamily = \"" + name + "\"\n[compile]\nblock = [32]\n[derived]\ntile = \"block\"\n*/\n";
    }
    void write(const std::string& name, const std::string& text) { db::write_file(folder_ / name, text); }
    std::string hash() const { return sources().code_hash("templates/mine.cuh"); }
    SourceSet sources() const { return SourceSet::from_folder(folder_.path()); }

    TemporaryFolder folder_;
};

TEST_F(SourceFolder, WordsAndSpaceDoNotChangeTheCodeHash) {
    const std::string before = hash();
    write("kernels_src/deep.cuh", "/* other\n words */ int   deep = 1;\n");
    EXPECT_EQ(hash(), before);
}

TEST_F(SourceFolder, CodeAnywhereBelowChangesIt) {
    const std::string before = hash();
    write("kernels_src/deep.cuh", "int deep = 2;\n");
    EXPECT_NE(hash(), before);
}

TEST_F(SourceFolder, AChangedLaunchRuleIsAnotherFamily) {
    const std::string before = sources().families().front().code_hash;
    std::string text = family("mine") + "#include \"kernels_src/part.cuh\"\n__global__ void mine() {}\n";
    text.replace(text.find("\"block\""), 7, "\"block * 2\"");
    write("templates/mine.cuh", text);
    EXPECT_NE(sources().families().front().code_hash, before);
}

TEST_F(SourceFolder, TheEnvironmentNamesAFolder) {
    const ScopedVariable variable("REDTUNE_TEMPLATE_PATH", folder_.path().c_str());
    const std::vector<Family> families = SourceSet::load().families();
    ASSERT_EQ(families.size(), 1U);
    EXPECT_EQ(families[0].name, "mine");
    EXPECT_EQ(&find_family(families, "mine"), &families[0]);
}

TEST_F(SourceFolder, MistakesAreNamed) {
    EXPECT_THROW(SourceSet::from_folder("/nonexistent"), InputError);
    EXPECT_THROW(sources().text("templates/other.cuh"), InputError);
    EXPECT_THROW(find_family(sources().families(), "other"), InputError);
    write("templates/twin.cuh", family("mine"));
    EXPECT_THROW(sources().families(), InputError);
}

TEST(SourceSet, EmbeddedFamiliesAreSortedAndNamedLikeTheirFiles) {
    for (const Family& family : SourceSet::load().families()) {
        EXPECT_EQ(family.path, "templates/" + family.name + ".cuh");
        EXPECT_EQ(family.code_hash.size(), 32U);
        EXPECT_FALSE(family.summary.empty());
        EXPECT_FALSE(family.origin.empty());
    }
}

}  // namespace
}  // namespace redtune::jit
