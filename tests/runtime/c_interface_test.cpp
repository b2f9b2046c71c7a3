#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "redtune.h"
#include "redtune/version.h"
#include "tests/runtime/c_interface_c99.h"
#include "tests/runtime/simulated_stream.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/jit/source_set.h"

namespace redtune::runtime {
namespace {

using testing::HasSubstr;

class CInterfaceTest : public RuntimeTest {
  protected:
    redtune_status create(const redtune_problem& problem, const redtune_options* options = nullptr) {
        redtune_reducer* reducer = nullptr;
        const redtune_status status = redtune_reducer_create(&problem, options, &reducer);
        EXPECT_EQ(reducer != nullptr, status == REDTUNE_OK);
        redtune_reducer_destroy(reducer);
        return status;
    }

    // The C interface reads the default databases.
    db::ScopedVariable user_{"REDTUNE_DB", "/nonexistent/redtune.db"};
    db::ScopedVariable shipped_{"REDTUNE_SYSTEM_DATA", test::shipped_data().c_str()};
    redtune_problem sum_ = {sizeof(redtune_problem), "sum", "f32", nullptr, nullptr, 0, 0, nullptr, nullptr, 0};
};

TEST_F(CInterfaceTest, WorksFromC) {
    const std::vector<float> input(5000, 1.0F);
    float result = 0;
    EXPECT_STREQ(c99_sum(input.data(), input.size(), &result, "f32"), "ok");
    EXPECT_EQ(result, 5000.0F);
    EXPECT_THAT(c99_sum(input.data(), input.size(), &result, "float16x"), HasSubstr("there is no type 'float16x'"));
}

TEST_F(CInterfaceTest, ReducesThreeExtents) {
    redtune_problem columns = sum_;
    columns.columns = 4;
    redtune_reducer* reducer = nullptr;
    ASSERT_EQ(redtune_reducer_create(&columns, nullptr, &reducer), REDTUNE_OK) << redtune_last_error();
    const std::vector<float> input(3 * 5 * 4, 1.0F);
    std::vector<float> result(3 * 4);
    EXPECT_EQ(redtune_reduce_extents(reducer, input.data(), nullptr, 3, 5, 4, result.data(), nullptr), REDTUNE_OK)
        << redtune_last_error();
    EXPECT_THAT(result, testing::Each(5.0F));
    EXPECT_EQ(redtune_reduce_extents(reducer, input.data(), nullptr, 3, 4, 5, result.data(), nullptr),
              REDTUNE_INVALID_ARGUMENT);
    alignas(256) char workspace[256];
    EXPECT_EQ(redtune_reduce_extents_in(reducer, input.data(), nullptr, 3, 5, 4, result.data(), nullptr, workspace, 8),
              REDTUNE_WORKSPACE_TOO_SMALL);
    redtune_reducer_destroy(reducer);
    columns.row_length = 4;
    EXPECT_EQ(create(columns), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("rows or columns, not both"));
}

TEST_F(CInterfaceTest, SaysWhatIsWrong) {
    EXPECT_EQ(redtune_reducer_create(&sum_, nullptr, nullptr), REDTUNE_INVALID_ARGUMENT);
    redtune_reducer* reducer = nullptr;
    EXPECT_EQ(redtune_reducer_create(nullptr, nullptr, &reducer), REDTUNE_INVALID_ARGUMENT);
    redtune_problem wrong = sum_;
    wrong.op = "summ";
    EXPECT_EQ(create(wrong), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("did you mean 'sum'"));
    wrong = sum_;
    wrong.op = nullptr;
    EXPECT_EQ(create(wrong), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("op is NULL"));
    wrong = sum_;
    for (const std::size_t size : {std::size_t{0}, sizeof(redtune_problem) - 1, offsetof(redtune_problem, op) + 3}) {
        wrong.size = size;
        EXPECT_EQ(create(wrong), REDTUNE_INVALID_ARGUMENT) << size;
        EXPECT_THAT(redtune_last_error(), HasSubstr("sizeof(redtune_problem)"));
    }
}

TEST_F(CInterfaceTest, StructsOfOtherVersionsAreRead) {
    redtune_problem earlier = sum_;
    earlier.size = offsetof(redtune_problem, row_length);
    earlier.row_length = 3;  // is behind the end of the earlier struct
    EXPECT_EQ(create(earlier), REDTUNE_OK) << redtune_last_error();

    struct Later {
        redtune_problem known;
        std::uint64_t added;
    } later = {sum_, 0};
    later.known.size = sizeof(later);
    EXPECT_EQ(create(later.known), REDTUNE_OK) << redtune_last_error();
    later.added = 1;
    EXPECT_EQ(create(later.known), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("does not know"));
}

TEST_F(CInterfaceTest, TakesAnOperatorAsAFileOrAsText) {
    const std::string file = test::source_path("examples/sum_of_cubes.cuh");
    redtune_problem cubes = sum_;
    cubes.op = nullptr;
    cubes.operator_file = file.c_str();
    EXPECT_EQ(create(cubes), REDTUNE_OK) << redtune_last_error();
    const std::string text = jit::read_text(file);
    cubes.operator_source = text.c_str();
    EXPECT_EQ(create(cubes), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("given twice"));
    cubes.operator_file = nullptr;
    EXPECT_EQ(create(cubes), REDTUNE_OK) << redtune_last_error();
    cubes.operator_source = "";
    EXPECT_EQ(create(cubes), REDTUNE_INVALID_ARGUMENT);
    EXPECT_THAT(redtune_last_error(), HasSubstr("operator_source:1: the source of an operator begins with"));
}

TEST_F(CInterfaceTest, ErrorsBelongToTheirThread) {
    redtune_problem wrong = sum_;
    wrong.dtype = nullptr;
    EXPECT_EQ(create(wrong), REDTUNE_INVALID_ARGUMENT);
    std::thread([] { EXPECT_STREQ(redtune_last_error(), ""); }).join();
    EXPECT_THAT(redtune_last_error(), HasSubstr("dtype is NULL"));
}

TEST_F(CInterfaceTest, NamesEveryStatus) {
    EXPECT_STREQ(redtune_version(), REDTUNE_VERSION);
    std::set<std::string> names;
    for (int status = REDTUNE_OK; status <= REDTUNE_FAILED; ++status) {
        names.insert(redtune_status_name(static_cast<redtune_status>(status)));
    }
    EXPECT_EQ(names.size(), 11U);
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_STREQ(redtune_status_name(static_cast<redtune_status>(15)), "unknown");
}

}  // namespace
}  // namespace redtune::runtime
