#include "tuner/launch/instantiation.h"

#include <gmock/gmock.h>

#include "redtune/error.h"

namespace redtune::launch {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Family family() {
    Family made;
    made.name = "f";
    made.parameters = {{"block", {std::int64_t{256}}, true},
                       {"finish", {std::string("ticket")}, true},
                       {"blocks_per_sm", {0.5}, false}};
    return made;
}

const Parameter block{"block", std::int64_t{256}};
const Parameter finish{"finish", std::string("ticket")};
const Parameter blocks_per_sm{"blocks_per_sm", 0.5};

std::string error_of(const std::vector<Parameter>& parameters) {
    try {
        return "no error but " + instantiation_of(family(), parameters);
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Instantiation, HasTheCompileParametersInTheFamilysOrder) {
    EXPECT_EQ(instantiation_of(family(), std::vector{block, finish, blocks_per_sm}), "256, redtune::Finish::ticket");
    EXPECT_EQ(instantiation_of(family(), std::vector{blocks_per_sm, finish, block}), "256, redtune::Finish::ticket");
}

TEST(Instantiation, IsEmptyWithoutCompileParameters) {
    Family launch_only = family();
    for (ParameterValues& parameter : launch_only.parameters) parameter.compile = false;
    EXPECT_EQ(instantiation_of(launch_only, std::vector{block, finish, blocks_per_sm}), "");
    EXPECT_EQ(instantiation_of(Family{}, {}), "");
}

TEST(Instantiation, AMissingValueIsNamedWithItsFamily) {
    EXPECT_THAT(error_of({block, blocks_per_sm}),
                AllOf(HasSubstr("family 'f'"), HasSubstr("'finish'"), HasSubstr("tune again")));
    EXPECT_THAT(error_of({block, finish}), AllOf(HasSubstr("family 'f'"), HasSubstr("'blocks_per_sm'")))
        << "launch parameters count too";
}

TEST(Instantiation, AMissingValueIsTheDefault) {
    Family grown = family();
    grown.parameters[1].default_value = std::string("publish");
    EXPECT_EQ(instantiation_of(grown, std::vector{block, blocks_per_sm}), "256, redtune::Finish::publish");
    EXPECT_EQ(instantiation_of(grown, std::vector{block, finish, blocks_per_sm}), "256, redtune::Finish::ticket");
}

TEST(Instantiation, AParameterThatTheFamilyDoesNotHaveIsNamedWithIt) {
    EXPECT_THAT(error_of({block, finish, blocks_per_sm, {"unroll", std::int64_t{4}}}),
                AllOf(HasSubstr("family 'f'"), HasSubstr("'unroll'"), HasSubstr("block, finish, blocks_per_sm")));
}

TEST(Instantiation, AParameterWithTwoValuesIsRefused) {
    EXPECT_THAT(error_of({block, finish, blocks_per_sm, {"block", std::int64_t{128}}}),
                AllOf(HasSubstr("family 'f'"), HasSubstr("two values"), HasSubstr("'block'")));
}

}  // namespace
}  // namespace redtune::launch
