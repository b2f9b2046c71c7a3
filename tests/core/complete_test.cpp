#include "tuner/core/complete.h"

#include <gtest/gtest.h>

namespace redtune {
namespace {

const std::string front_matter = R"(/*redtune
family = "own"
[compile]
block = [128, 256]
ADDED
[launch]
blocks = [1, 2]
[defaults]
DEFAULT
[derived]
tile = "block"
*/
)";

/// Returns the family `own` with an added line in [compile] and a line in [defaults].
Family family_with(const std::string& added, const std::string& default_value) {
    std::string text = front_matter;
    text.replace(text.find("ADDED"), 5, added);
    text.replace(text.find("DEFAULT"), 7, default_value);
    return parse_families("own.cuh", text).at(0);
}

const Configuration recorded = {"own", {{"block", std::int64_t{256}}, {"blocks", std::int64_t{2}}}};

TEST(Complete, MissingParametersGetTheirDefault) {
    const std::vector<Family> families = {family_with("path = [\"plain\", \"wide\"]", "path = \"plain\"")};
    const Configuration completed = complete(recorded, families);
    EXPECT_EQ(to_string(completed), "own(block=256, path=plain, blocks=2)");
    EXPECT_EQ(complete(completed, families), completed);
}

TEST(Complete, ParametersHaveTheOrderOfTheFamily) {
    const Configuration reversed = {"own", {recorded.parameters[1], recorded.parameters[0]}};
    EXPECT_EQ(complete(reversed, std::vector<Family>{family_with("", "")}), recorded);
}

TEST(Complete, GivenValuesAreKept) {
    Configuration wide = recorded;
    wide.parameters.push_back({"path", std::string("wide")});
    EXPECT_EQ(
        to_string(complete(wide, std::vector<Family>{family_with("path = [\"plain\", \"wide\"]", "path = \"plain\"")})),
        "own(block=256, path=wide, blocks=2)");
}

TEST(Complete, MissingParametersWithoutADefaultStayMissing) {
    EXPECT_EQ(complete(recorded, std::vector<Family>{family_with("path = [\"plain\"]", "")}), recorded);
}

TEST(Complete, ParametersUnknownToTheFamilyAreKept) {
    Configuration old = recorded;
    old.parameters.insert(old.parameters.begin(), {"gone", std::int64_t{1}});
    EXPECT_EQ(to_string(complete(old, std::vector<Family>{family_with("", "")})), "own(block=256, blocks=2, gone=1)");
}

TEST(Complete, ConfigurationsOfUnknownFamiliesAreUnchanged) {
    EXPECT_EQ(complete(recorded, std::vector<Family>{}), recorded);
}

}  // namespace
}  // namespace redtune
