#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "redtune/catalog.h"
#include "tests/allocation/count_allocations.h"
#include "tests/support/source_path.h"

namespace redtune {
namespace {

TEST(CatalogAllocation, APreparedFindNeitherAllocatesNorThrows) {
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    const Problem problem = make_problem("sum", Type::f32);
    static_assert(noexcept(catalog.find(problem, 1, "NVIDIA H200")));
    catalog.prepare(problem, "NVIDIA H200");
    std::uint64_t found = 0;
    const std::uint64_t before = test::allocations();
    for (std::uint64_t n = 0; n < (std::uint64_t{1} << 40); n = n * 3 + 1) {
        found += catalog.find(problem, n, "NVIDIA H200").has_value();
        found += catalog.find(problem, n, "no such device with a name too long for a short string").has_value();
    }
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(found, 26U);
    const auto counted = std::make_unique<int>(1);
    EXPECT_GT(test::allocations(), before) << "operator new must be the one that counts";
}

TEST(CatalogAllocation, ASelectorNeitherAllocatesNorThrowsOnAnyRung) {
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    std::uint64_t kinds = 0;
    for (const char* device : {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA B200"}) {
        // No winners of products of i32 ship.
        for (const auto& [op, type] : {std::pair("sum", Type::f32), std::pair("product", Type::i32)}) {
            const Selector selector = catalog.select(make_problem(op, type), *catalog.find_device(device),
                                                     {.allow_forward_progress = op[0] == 's'});
            static_assert(noexcept(selector.find(1)));
            const std::uint64_t before = test::allocations();
            for (std::uint64_t n = 0; n < (std::uint64_t{1} << 40); n = n == 4 ? 4096 : n * 3 + 1) {
                if (const auto match = selector.find(n))
                    kinds |= std::uint64_t{1} << static_cast<unsigned>(match->kind);
            }
            EXPECT_EQ(test::allocations(), before) << device << " " << op;
        }
    }
    for (const MatchKind kind :
         {MatchKind::exact, MatchKind::between, MatchKind::similar_problem, MatchKind::same_silicon_other_memory,
          MatchKind::other_device, MatchKind::default_rule}) {
        EXPECT_NE(kinds >> static_cast<unsigned>(kind) & 1, 0U) << to_string(kind) << " was not looked up";
    }
}

}  // namespace
}  // namespace redtune
