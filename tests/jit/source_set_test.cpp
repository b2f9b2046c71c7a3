#include "tuner/jit/source_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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

TEST_F(SourceFolder, AnEstimateOfBytesInFlightChangesNothing) {
    const std::string before = sources().families().front().code_hash;
    std::string text = family("mine") + "#include \"kernels_src/part.cuh\"\n__global__ void mine() {}\n";
    text.insert(text.find("tile"), "bytes_in_flight = \"block * 16\"\n");
    write("templates/mine.cuh", text);
    EXPECT_EQ(sources().families().front().code_hash, before) << "what was measured is measured";
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

TEST_F(SourceFolder, VariantsShareTheirFilesCode) {
    std::string text = family("mine") + "#include \"kernels_src/part.cuh\"\n";
    text.replace(text.find("[compile]"), 9, "[variants]\nmine32 = { block = 32 }\nmine_too = {}\n[compile]");
    write("templates/mine.cuh", text);
    const std::vector<Family> families = sources().families();
    ASSERT_EQ(families.size(), 2U);
    EXPECT_EQ(families[0].name, "mine32");
    EXPECT_EQ(families[1].name, "mine_too");
    EXPECT_EQ(families[0].code_hash, families[1].code_hash);
    write("templates/twin.cuh", family("mine32"));
    EXPECT_THROW(sources().families(), InputError) << "a variant's name is a family's";
}

TEST_F(SourceFolder, AUsersTemplateIsAFamilyBesideTheOthers) {
    write("yours.cuh", family("yours") + "#include \"kernels_src/part.cuh\"\n");
    const std::string path = (folder_ / "yours.cuh").string();
    SourceSet set = sources();
    const std::string before = set.families().front().code_hash;
    set.add_template(path);
    const std::vector<Family> families = set.families();
    ASSERT_EQ(families.size(), 2U);
    EXPECT_EQ(families[0].name, "mine");
    EXPECT_EQ(families[0].code_hash, before) << "it is no part of the others";
    EXPECT_EQ(families[1].name, "yours");
    EXPECT_EQ(families[1].path, path);
    EXPECT_EQ(set.text(path), db::read_file(path));

    SourceSet changed = sources();
    write("yours.cuh", family("yours") + "#include \"kernels_src/part.cuh\"\nint more;\n");
    changed.add_template(path);
    EXPECT_NE(changed.families()[1].code_hash, families[1].code_hash);
}

TEST_F(SourceFolder, OneFamilyIsThatOfAllFamilies) {
    const SourceSet set = sources();
    const auto found = set.find_family("mine");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->code_hash, set.families().front().code_hash);
    EXPECT_FALSE(set.find_family("min")) << "a part of a name";
    const SourceSet built_in = SourceSet::load();
    for (const Family& family : built_in.families()) {
        const auto same = built_in.find_family(family.name);
        ASSERT_TRUE(same) << family.name;
        EXPECT_EQ(same->code_hash, family.code_hash) << family.name;
    }
}

TEST_F(SourceFolder, WrongTemplatesOfTheUsersAreSaid) {
    SourceSet set = sources();
    EXPECT_THAT([&] { set.add_template("/nonexistent/a.cuh"); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("/nonexistent/a.cuh cannot be read")));
    write("yours.cuh", family("mine"));
    set.add_template((folder_ / "yours.cuh").string());
    EXPECT_THAT([&] { set.families(); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("both call their family 'mine'")));
    write("bad.cuh", "int no_front_matter;\n");
    SourceSet other = sources();
    other.add_template((folder_ / "bad.cuh").string());
    EXPECT_THAT([&] { other.families(); }, testing::ThrowsMessage<InputError>(testing::HasSubstr("bad.cuh:1:")));
}

TEST_F(SourceFolder, AUsersOperatorIsPartOfEveryFamily) {
    const std::string without = sources().families().front().code_hash;
    const auto hash_with = [&](const std::string& text) {
        SourceSet set = sources();
        set.add_operator("own.cuh", text);
        EXPECT_EQ(set.operator_paths(), std::vector<std::string>{"own.cuh"});
        EXPECT_EQ(set.text("own.cuh"), text);
        EXPECT_EQ(set.families().size(), 1U) << "it is no family";
        return set.families().front().code_hash;
    };
    const std::string with = hash_with("#include \"kernels_src/deep.cuh\"\nstruct Own {};\n");
    EXPECT_NE(with, without);
    EXPECT_EQ(hash_with("#include \"kernels_src/deep.cuh\"\n// words\nstruct   Own {};\n"), with);
    EXPECT_NE(hash_with("#include \"kernels_src/deep.cuh\"\nstruct Own { int x; };\n"), with);
    write("kernels_src/deep.cuh", "int deep = 3;\n");
    EXPECT_NE(hash_with("#include \"kernels_src/deep.cuh\"\nstruct Own {};\n"), with);
}

TEST(SourceSet, EmbeddedFamiliesAreSortedAndTheirKernelsNamedLikeTheirFiles) {
    const std::vector<Family> families = SourceSet::load().families();
    EXPECT_TRUE(std::is_sorted(families.begin(), families.end(),
                               [](const Family& a, const Family& b) { return a.name < b.name; }));
    for (const Family& family : families) {
        EXPECT_EQ(family.path, "templates/" + family.kernel + ".cuh");
        // A file may define several families; the name of each begins with the kernel's name.
        EXPECT_TRUE(family.name.starts_with(family.kernel)) << family.name;
        EXPECT_EQ(family.code_hash.size(), 32U);
        EXPECT_FALSE(family.summary.empty());
        EXPECT_FALSE(family.origin.empty());
    }
}

}  // namespace
}  // namespace redtune::jit
