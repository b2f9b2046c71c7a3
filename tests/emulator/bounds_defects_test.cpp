#include "defects_fixture.h"

namespace {

using namespace defects;

TEST(BoundsDefects, BoundTestedOnAnotherIndex) {
    const std::string text = "bytes past the end of buffer 'input' (1600 bytes) (tests/emulator/kernels/defects.cuh:";
    expect_defect([](const Work& w) { bound_of_wrong_index<128, false>(w); }, four_blocks, text, 400);
    expect_clean([](const Work& w) { bound_of_wrong_index<128, true>(w); }, four_blocks, sum_to(128), 400);
    expect_defect([](const Work& w) { bound_of_constant_index<128, false>(w); }, four_blocks, text, 400);
    expect_clean([](const Work& w) { bound_of_constant_index<128, true>(w); }, four_blocks, sum_to(128), 400);
}

template <defects::Memory kind, bool write>
std::vector<std::string> access_at_offset(int offset) {
    emulator::Memory memory;
    int* global = memory.allocate<int>(32, emulator::Access::read_write, 12, "global");
    return emulator::run([&] { access_array_at_offset<kind, 32, write>(global, offset); },
                         {.grid = 1, .block = 32, .shared_bytes = 128}, memory)
        .defects;
}

template <defects::Memory kind>
void expect_exact_bounds(const std::string& name) {
    using testing::ElementsAre;
    using testing::HasSubstr;
    EXPECT_THAT((access_at_offset<kind, false>(0)), testing::IsEmpty());
    EXPECT_THAT((access_at_offset<kind, true>(0)), testing::IsEmpty());
    const std::string before = "4 bytes at 4 bytes before the start of " + name;
    const std::string past = "4 bytes at 0 bytes past the end of " + name;
    EXPECT_THAT((access_at_offset<kind, false>(-1)), ElementsAre(HasSubstr("thread 0 reads " + before)));
    EXPECT_THAT((access_at_offset<kind, true>(-1)), ElementsAre(HasSubstr("thread 0 writes " + before)));
    EXPECT_THAT((access_at_offset<kind, false>(1)), ElementsAre(HasSubstr("thread 0 reads " + past)));
    EXPECT_THAT((access_at_offset<kind, true>(1)), ElementsAre(HasSubstr("thread 0 writes " + past)));
}

TEST(BoundsDefects, OneElementOutsideOfStaticSharedMemory) {
    expect_exact_bounds<defects::Memory::of_static>("shared variable 'values' (128 bytes)");
}

TEST(BoundsDefects, OneElementOutsideOfDynamicSharedMemory) {
    expect_exact_bounds<defects::Memory::of_dynamic>("dynamic shared memory (128 bytes)");
}

TEST(BoundsDefects, OneElementOutsideOfABuffer) {
    expect_exact_bounds<defects::Memory::global>("buffer 'global' (128 bytes)");
}

TEST(BoundsDefects, AddressInNoAllocation) {
    emulator::Memory none;
    const auto report = emulator::run([&] { write_to_input<true>(Work{}); }, {.grid = 1, .block = 32}, none);
    EXPECT_THAT(report.defects, testing::ElementsAre(testing::HasSubstr("address 0, which is in no allocation")));
}

TEST(BoundsDefects, WriteToInput) {
    expect_defect([](const Work& w) { write_to_input<false>(w); }, four_blocks,
                  "writes 4 bytes at offset 0 of buffer 'input' (4096 bytes), which is read-only");
    expect_clean([](const Work& w) { write_to_input<true>(w); }, {.grid = 1, .block = 128}, 1);
}

TEST(BoundsDefects, MisalignedVectorLoad) {
    expect_defect([](const Work& w) { misaligned_load<false>(w); }, {.grid = 1, .block = 32}, "no multiple of 16");
    expect_clean([](const Work& w) { misaligned_load<true>(w); }, {.grid = 1, .block = 32}, 5);
}

TEST(BoundsDefects, MemoryTracksWrittenBytes) {
    Buffers buffers;
    EXPECT_FALSE(buffers.memory.initialised(buffers.work.slots, 4));
    buffers.memory.fill(buffers.work.slots, 8, 0);
    EXPECT_TRUE(buffers.memory.initialised(buffers.work.slots, 8));
    EXPECT_FALSE(buffers.memory.initialised(buffers.work.slots, 9));
    buffers.memory.mark_uninitialised(buffers.work.slots + 1, 4);
    EXPECT_TRUE(buffers.memory.initialised(buffers.work.slots, 4));
    EXPECT_FALSE(buffers.memory.initialised(buffers.work.slots, 8));
    EXPECT_THROW(buffers.memory.fill(buffers.work.slots + Buffers::most, 1, 0), std::invalid_argument);
}

}  // namespace
