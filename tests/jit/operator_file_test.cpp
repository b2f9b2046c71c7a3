#include "tuner/jit/operator_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::jit {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string good = R"(/*redtune
operator = "sum_of_cubes"
summary = "Sum of cubes"
arrays = 2
[types]
f16 = ["f32", "f16"]
i32 = ["i64", "f64"]
*/
code
)";

class OperatorFileTest : public testing::Test {
  protected:
    OperatorFile read(const std::string& text) {
        db::write_file(folder_ / "mine.cuh", text);
        return read_operator_file((folder_ / "mine.cuh").string());
    }

    static std::string with(const std::string& old_text, const std::string& new_text) {
        std::string text = good;
        return text.replace(text.find(old_text), old_text.size(), new_text);
    }

    db::TemporaryFolder folder_;
};

TEST_F(OperatorFileTest, SaysAllThatTheTunerNeeds) {
    const OperatorFile file = read(good);
    EXPECT_EQ(file.info.name, "sum_of_cubes");
    EXPECT_EQ(file.info.summary, "Sum of cubes");
    EXPECT_EQ(file.info.arrays, 2U);
    EXPECT_EQ(file.info.combined, Combined::value);
    EXPECT_EQ(file.path, (folder_ / "mine.cuh").string());
    EXPECT_EQ(file.text, good);
    ASSERT_EQ(file.types.size(), 2U);
    EXPECT_EQ(file.types.at(Type::f16), (ResultTypes{Type::f32, Type::f16}));
    EXPECT_EQ(file.types.at(Type::i32), (ResultTypes{Type::i64, Type::f64}));
}

TEST_F(OperatorFileTest, ATextSaysTheSameAsAFile) {
    const OperatorFile text = read_operator_text(good);
    const OperatorFile file = read(good);
    EXPECT_EQ(text.info.name, file.info.name);
    EXPECT_EQ(text.types, file.types);
    EXPECT_EQ(text.text, good);
    EXPECT_EQ(text.path, operator_text_path);
    EXPECT_THAT([] { read_operator_text(with("arrays = 2", "arrays = 3")); },
                ThrowsMessage<InputError>("operator_source:4: 'arrays' must be 1 or 2"));
}

TEST_F(OperatorFileTest, MakesProblems) {
    const OperatorFile file = read(good);
    Problem expected;
    expected.op = "sum_of_cubes";
    expected.input = Type::i32;
    expected.accumulator = Type::i64;
    expected.output = Type::f64;
    expected.arrays = 2;
    EXPECT_EQ(make_problem(file, Type::i32), expected);
    EXPECT_THAT([&] { make_problem(file, Type::f64); },
                ThrowsMessage<InputError>("sum_of_cubes has no input type f64; its source has i32, f16"));
}

TEST_F(OperatorFileTest, WithoutTypesThoseOfSumAreMeant) {
    const OperatorFile file = read("/*redtune\noperator = \"mine\"\n*/\n");
    EXPECT_EQ(file.info.arrays, 1U);
    for (const std::string& name : type_names()) {
        const Type type = parse_type(name);
        EXPECT_EQ(file.types.at(type), result_types("sum", type).front()) << name;
    }
}

TEST_F(OperatorFileTest, AMissingFileIsSaid) {
    EXPECT_THAT([] { read_operator_file("/nonexistent/mine.cuh"); },
                ThrowsMessage<InputError>(HasSubstr("/nonexistent/mine.cuh cannot be read")));
    EXPECT_THAT([&] { read_operator_file(folder_.path().string()); }, ThrowsMessage<InputError>(HasSubstr("read")));
}

struct Wrong {
    const char* old_text;
    const char* new_text;
    int line;            // the line that the error must name
    const char* phrase;  // a phrase that the error must contain
};

/// Prints the parameter for GoogleTest and ctest.
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
    return out << "'" << wrong.old_text << "' as '" << wrong.new_text << "'";
}

class WrongOperatorFile : public OperatorFileTest, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongOperatorFile, IsBlamedAtItsLine) {
    const std::string place = (folder_ / "mine.cuh").string() + ":" + std::to_string(GetParam().line) + ": ";
    EXPECT_THAT([&] { read(with(GetParam().old_text, GetParam().new_text)); },
                ThrowsMessage<InputError>(testing::AllOf(testing::StartsWith(place), HasSubstr(GetParam().phrase))));
}

INSTANTIATE_TEST_SUITE_P(OperatorFile, WrongOperatorFile,
                         testing::Values(Wrong{"/*redtune", "/*", 1, "a file of operators begins with"},
                                         Wrong{"arrays = 2", "arrays = ", 4, "not TOML"},
                                         Wrong{"operator = \"sum_of_cubes\"\n", "", 1, "operator = \"my_operator\""},
                                         Wrong{"\"sum_of_cubes\"", "\"SumOfCubes\"", 1, "a-z"},
                                         Wrong{"\"sum_of_cubes\"", "3", 2, "must be a string"},
                                         Wrong{"\"sum_of_cubes\"", "\"sum\"", 2, "another name"},
                                         Wrong{"summary", "sumary", 3, "allowed are operator, summary, arrays, types"},
                                         Wrong{"\"Sum of cubes\"", "[]", 3, "must be a string"},
                                         Wrong{"arrays = 2", "arrays = 0", 4, "must be 1 or 2"},
                                         Wrong{"arrays = 2", "arrays = 3", 4, "must be 1 or 2"},
                                         Wrong{"arrays = 2", "arrays = \"two\"", 4, "must be 1 or 2"},
                                         Wrong{"[types]\nf16 = [\"f32\", \"f16\"]\ni32 = [\"i64\", \"f64\"]",
                                               "types = 3", 5, "must be a table"},
                                         Wrong{"f16 =", "f17 =", 6, "no type 'f17'; allowed are i8"},
                                         Wrong{"[\"f32\", \"f16\"]", "\"f32\"", 6, "accumulator and output type"},
                                         Wrong{"[\"f32\", \"f16\"]", "[\"f32\"]", 6, "accumulator and output type"},
                                         Wrong{"[\"f32\", \"f16\"]", "[\"f16\", \"f16\"]", 6, "32 or 64 bits"},
                                         Wrong{"[\"f32\", \"f16\"]", "[\"f32\", 16]", 6, "no type ''"},
                                         Wrong{"\"i64\", \"f64\"", "\"i64\", \"f128\"", 7, "no type 'f128'"}));

}  // namespace
}  // namespace redtune::jit
