#include "tuner/timing/data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tuner/core/operator.h"

namespace redtune::timing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(DataKind, NamesAreUniqueAndDescribed) {
    std::set<std::string_view> names;
    for (const DataKindTraits& each : data_kinds()) {
        names.insert(to_string(each.kind));
        EXPECT_EQ(parse_data_kind(to_string(each.kind)), each.kind);
        EXPECT_EQ(traits_of(each.kind).kind, each.kind);
        EXPECT_FALSE(each.summary.empty());
    }
    EXPECT_GE(names.size(), 16U);
    EXPECT_EQ(names.size(), data_kinds().size());
}

TEST(DataKind, AnUnknownNameIsRefusedWithTheNearestOne) {
    EXPECT_THAT([] { parse_data_kind("sparce"); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("kind of data 'sparce'"), HasSubstr("uniform, normal"),
                                                HasSubstr("did you mean 'sparse'?"))));
}

TEST(DataKind, ProblemsHaveTheKindsThatMakeSense) {
    const auto kinds_of = [](const char* op, Type type) { return data_kinds_of(make_problem(op, type)); };
    EXPECT_EQ(kinds_of("sum", Type::bf16).size(), data_kinds().size());
    EXPECT_THAT(kinds_of("sum", Type::i32), AllOf(Contains(DataKind::alternating), Not(Contains(DataKind::normal))));
    EXPECT_THAT(kinds_of("sum", Type::u8), Not(Contains(DataKind::alternating)));
    EXPECT_THAT(kinds_of("product", Type::f32), AllOf(Contains(DataKind::outlier), Not(Contains(DataKind::sparse))));
}

TEST(DataKind, DefaultsFollowWhatKernelsDo) {
    using enum DataKind;
    EXPECT_EQ(default_data_kinds(make_problem("sum", Type::f16)), (std::vector{uniform, outlier}));
    EXPECT_EQ(default_data_kinds(make_problem("argmin", Type::i32)), (std::vector{uniform, ascending}));
    for (const auto& problem : {make_problem("sum", Type::i32), make_problem("max", Type::f32)}) {
        EXPECT_EQ(default_data_kinds(problem), std::vector{uniform});
    }
    for (const std::string& op : operator_names()) {
        for (const std::string& type : type_names()) {
            if (result_types(op, parse_type(type)).empty()) continue;
            const Problem problem = make_problem(op, parse_type(type));
            for (const DataKind kind : default_data_kinds(problem)) {
                EXPECT_THAT(data_kinds_of(problem), Contains(kind)) << op << " of " << type;
            }
        }
    }
}

TEST(Data, AKindThatAProblemCannotHaveIsRefusedWithTheAllowedKinds) {
    EXPECT_THAT([] { parse_data("normal", make_problem("sum", Type::u32)); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("sum of u32 cannot have the data 'normal'"),
                                                HasSubstr("allowed are uniform, outlier, sparse"))));
}

TEST(Data, ListsHaveNoRepeatsAndADefault) {
    const Problem problem = make_problem("sum", Type::f32);
    const auto names = [&](const std::vector<std::string>& list) {
        std::vector<std::string> found;
        for (const Data& data : parse_data_list(list, problem)) found.push_back(data.name);
        return found;
    };
    EXPECT_EQ(names({}), (std::vector<std::string>{"uniform", "outlier"}));
    EXPECT_EQ(names({"zeros", "uniform", "zeros"}), (std::vector<std::string>{"zeros", "uniform"}));
}

class DataFile : public ::testing::Test {
  protected:
    Data parse(const std::string& bytes, Type type = Type::f32) {
        db::write_file(file_, bytes);
        return parse_data(file_.string(), make_problem("sum", type));
    }
    void expect_refused(const std::string& bytes, const std::string& why) {
        EXPECT_THAT([&] { parse(bytes); }, ThrowsMessage<InputError>(AllOf(HasSubstr(file_.string()), HasSubstr(why))));
    }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "values.bin";
};

TEST_F(DataFile, IsReadAsElements) {
    const Data data = parse(std::string(4096, 'x'));
    EXPECT_EQ(data.values->size(), 4096U);
    EXPECT_FALSE(data.is_uniform());
    EXPECT_EQ(signs_of(data), TermSigns::structured) << "nothing is known of the values";
    EXPECT_THAT(data.name, ::testing::MatchesRegex("file:values.bin@[0-9a-f]{8}"));
    EXPECT_NE(parse(std::string(4096, 'y')).name, data.name) << "other values are other data";
}

TEST_F(DataFile, IsRefusedWithTheReason) {
    expect_refused("", "the file is empty");
    expect_refused(std::string(4097, 'x'), "its 4097 bytes are not whole elements of f32; give a multiple of 4");
    expect_refused(std::string(400, 'x'), "it has 100 elements of f32; give 1024 or more");
    EXPECT_NO_THROW(parse(std::string(1024, 'x'), Type::i8));
    EXPECT_THAT([&] { parse_data((folder_ / "none.bin").string(), make_problem("sum", Type::f32)); },
                ThrowsMessage<InputError>(HasSubstr("cannot be read: No such file")));
    EXPECT_THAT([&] { parse_data(folder_.path().string(), make_problem("sum", Type::f32)); },
                ThrowsMessage<InputError>(HasSubstr("it is a folder")));
}

}  // namespace
}  // namespace redtune::timing
