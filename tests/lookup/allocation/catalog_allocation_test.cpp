// This test is a separate program because it replaces the global operator new, which sanitizers intercept in the other
// test programs.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "redtune/catalog.h"
#include "tests/support/source_path.h"

namespace {

// The number of calls of operator new in this thread.
thread_local std::uint64_t allocations = 0;

}  // namespace

void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}

namespace redtune {
namespace {

TEST(CatalogAllocation, FindNeitherAllocatesNorThrows) {
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    const Problem problem = make_problem("sum", Type::f32);
    static_assert(noexcept(catalog.find(problem, 1, "NVIDIA H200")));
    std::uint64_t found = 0;
    const std::uint64_t before = allocations;
    for (std::uint64_t n = 0; n < (std::uint64_t{1} << 40); n = n * 3 + 1) {
        found += catalog.find(problem, n, "NVIDIA H200").has_value();
        found += catalog.find(problem, n, "no such device with a name too long for a short string").has_value();
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(found, 26U);
    const auto counted = std::make_unique<int>(1);
    EXPECT_GT(allocations, before) << "operator new must be the one above";
}

TEST(CatalogAllocation, ASelectorNeitherAllocatesNorThrowsOnAnyRung) {
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    std::uint64_t kinds = 0;
    for (const char* device : {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA B200"}) {
        for (const char* op : {"sum", "product"}) {
            const Selector selector = catalog.select(make_problem(op, Type::f32), *catalog.find_device(device),
                                                     {.allow_forward_progress = op[0] == 's'});
            static_assert(noexcept(selector.find(1)));
            const std::uint64_t before = allocations;
            for (std::uint64_t n = 0; n < (std::uint64_t{1} << 40); n = n == 4 ? 4096 : n * 3 + 1) {
                if (const auto match = selector.find(n))
                    kinds |= std::uint64_t{1} << static_cast<unsigned>(match->kind);
            }
            EXPECT_EQ(allocations, before) << device << " " << op;
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
