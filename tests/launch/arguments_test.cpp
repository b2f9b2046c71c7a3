#include "tuner/launch/arguments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "tuner/gpu/nvrtc.h"
#include "tuner/jit/source_set.h"

namespace redtune::launch {
namespace {

/// Lets NVRTC evaluate static_asserts about the device's arguments.
void expect_compiles(std::string source) {
    const std::vector<gpu::Header> headers = jit::SourceSet::load().headers();
    const std::vector<std::string> options = {"--gpu-architecture=sm_90", "--std=c++17", "-default-device"};
    source += "__global__ void empty() {}\n";
    EXPECT_NO_THROW(gpu::Nvrtc::get().compile(source, "layout.cu", headers, options, {"empty"})) << source;
    source += "static_assert(sizeof(Host) == 1, \"the assertions above are evaluated\");\n";
    EXPECT_THROW(gpu::Nvrtc::get().compile(source, "layout.cu", headers, options, {"empty"}), gpu::NvrtcError);
}

// NVRTC checks the layout that kernels see: the static_asserts compile only if it agrees with the host's layout.
TEST(Arguments, HaveTheLayoutThatKernelsSee) {
    std::string source =
        "#include \"kernels_src/problem.cuh\"\n"
        "using Host = redtune::Arguments<redtune::Problem<int, short, double, float>>;\n";
#define SAME_OFFSET(member)                                                                \
    source += fmt::format(                                                                 \
        "static_assert(__INTADDR__(&static_cast<Host*>(nullptr)->{0}) == {1}, \"{0}\");\n" \
        "static_assert(sizeof(Host::{0}) == {2}, \"size of {0}\");\n",                     \
        #member, offsetof(Arguments, member), sizeof(Arguments::member));
    SAME_OFFSET(input)
    SAME_OFFSET(second)
    SAME_OFFSET(n)
    SAME_OFFSET(row_length)
    SAME_OFFSET(count)
    SAME_OFFSET(output)
    SAME_OFFSET(header)
    SAME_OFFSET(slots)
#undef SAME_OFFSET
    source += fmt::format(
        "static_assert(sizeof(Host) == {}, \"size\");\n"
        "static_assert(sizeof(redtune::WorkspaceHeader) <= {}, \"header\");\n",
        sizeof(Arguments), std::size_t{LaunchPlan::header_bytes});
    expect_compiles(source);
}

// The two specialisations of the device's Arguments agree with the one struct of the host.
TEST(CountedArguments, HaveTheLayoutThatKernelsSee) {
    const std::string counted =
        "redtune::CountedOnDevice<redtune::Problem<redtune::Mean<int, double, float>, int, double, float>>";
    const auto same = [](const char* member, std::size_t offset) {
        return fmt::format("static_assert(__INTADDR__(&static_cast<Host*>(nullptr)->{}) == {}, \"{}\");\n", member,
                           offset, member);
    };
    for (const bool reads_partials : {false, true}) {
        const std::string problem = reads_partials ? "redtune::PartialsOf<" + counted + ">" : counted;
        std::string source =
            "#include \"kernels_src/device_count.cuh\"\nusing Host = redtune::Arguments<" + problem + ">;\n";
        source += same("input", offsetof(CountedArguments, input)) + same("second", offsetof(CountedArguments, second));
        if (reads_partials) {
            source +=
                same("n", offsetof(CountedArguments, n)) + same("row_length", offsetof(CountedArguments, row_length));
        } else {
            source += same("n.address", offsetof(CountedArguments, n)) +
                      same("n.most", offsetof(CountedArguments, row_length));
        }
        source += same("count.address", offsetof(CountedArguments, count)) +
                  same("count.most", offsetof(CountedArguments, most));
        source += same("output", offsetof(CountedArguments, output)) +
                  same("header", offsetof(CountedArguments, header)) + same("slots", offsetof(CountedArguments, slots));
        source += fmt::format("static_assert(sizeof(Host) == {}, \"size\");\n", sizeof(CountedArguments));
        expect_compiles(source);
    }
}

TEST(CountedArguments, OnlyTheCountOfAPartialsLaunchIsOnTheDevice) {
    LaunchPlan plan;
    plan.slot_bytes = 8;
    plan.elements_per_result = 1000;
    Launch first;
    first.n = first.row_length = 1000;
    const auto workspace = WorkspaceParts::of(0x40000);
    const DeviceCount count{0x50000, 1000};
    const CountedArguments reads_input = arguments_of(plan, first, {0x10000, 0x20000}, count, 0x30000, workspace);
    EXPECT_EQ(reads_input.n, 0x50000U);
    EXPECT_EQ(reads_input.row_length, 1000U);
    EXPECT_EQ(reads_input.count, 0x50000U);
    EXPECT_EQ(reads_input.most, 1000U);

    Launch second;
    second.role = KernelRole::combine_partials;
    second.n = second.row_length = 7;
    const CountedArguments reads_slots = arguments_of(plan, second, {0x10000, 0x20000}, count, 0x30000, workspace);
    EXPECT_EQ(reads_slots.input, 0x40000U + LaunchPlan::header_bytes);
    EXPECT_EQ(reads_slots.n, 7U);
    EXPECT_EQ(reads_slots.row_length, 7U);
    EXPECT_EQ(reads_slots.count, 0x50000U);
    EXPECT_EQ(reads_slots.most, 1000U);
}

TEST(Arguments, TheFirstLaunchReadsTheInputAndLaterOnesTheSlots) {
    LaunchPlan plan;
    plan.slot_bytes = 8;
    plan.elements_per_result = 1000;
    Launch first;
    first.n = first.row_length = 1000;
    first.write_slot = 2;
    const Arguments reads_input = arguments_of(plan, first, {0x10000, 0x20000}, 0x30000, WorkspaceParts::of(0x40000));
    EXPECT_EQ(reads_input.input, 0x10000U);
    EXPECT_EQ(reads_input.second, 0x20000U);
    EXPECT_EQ(reads_input.n, 1000U);
    EXPECT_EQ(reads_input.row_length, 1000U);
    EXPECT_EQ(reads_input.count, 1000U);
    EXPECT_EQ(reads_input.output, 0x30000U);
    EXPECT_EQ(reads_input.header, 0x40000U);
    EXPECT_EQ(reads_input.slots, 0x40000U + LaunchPlan::header_bytes + 16);

    Launch second;
    second.role = KernelRole::combine_partials;
    second.n = 7;
    second.read_slot = 2;
    second.write_slot = 9;
    const Arguments reads_slots = arguments_of(plan, second, {0x10000, 0x20000}, 0x30000, WorkspaceParts::of(0x40000));
    EXPECT_EQ(reads_slots.input, 0x40000U + LaunchPlan::header_bytes + 16);
    EXPECT_EQ(reads_slots.n, 7U);
    EXPECT_EQ(reads_slots.count, 1000U);
    EXPECT_EQ(reads_slots.slots, 0x40000U + LaunchPlan::header_bytes + 72);
}

}  // namespace
}  // namespace redtune::launch
