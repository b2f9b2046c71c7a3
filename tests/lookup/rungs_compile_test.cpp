#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <vector>

#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_name.h"

namespace redtune {
namespace {

/// A device of each architecture for which look-ups are compiled, and two with narrow limits.
std::vector<DeviceInfo> devices() {
    std::vector<DeviceInfo> made;
    for (const char* name :
         {"Tesla T4", "NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "NVIDIA H200", "NVIDIA B200", "Orin"}) {
        made.push_back(find_well_known_device(name).value());
    }
    DeviceInfo one = find_well_known_device("NVIDIA GeForce RTX 3060").value();
    one.name = "one SM";
    one.sm_count = 1;
    made.push_back(one);
    one.name = "8 KiB of shared memory";
    one.sm_count = 28;
    one.max_shared_bytes_per_block = 8 << 10;
    made.push_back(one);
    return made;
}

std::vector<Problem> problems() {
    std::vector<Problem> made = {make_problem("sum", Type::f32),    make_problem("sum", Type::f16),
                                 make_problem("argmin", Type::f64), make_problem("dot", Type::bf16),
                                 make_problem("product", Type::i8), make_problem("bit_xor", Type::u64)};
    for (const std::uint64_t row_length : {4, 1000, 1 << 22}) {
        made.push_back(make_problem("mean", Type::f32));
        made.back().row_length = row_length;
    }
    return made;
}

/// A kernel that a look-up returned, with the most dynamic shared memory and threads that a launch of it has.
struct Wanted {
    std::uint32_t shared_bytes = 0;
    std::uint32_t block = 0;
};

/// Returns the distinct kernels that look-ups return for a device, from the rung that answers and from the rules of
/// thumb, for sizes over the whole range.
std::map<jit::KernelName, Wanted> kernels_for(const DeviceInfo& device, const Catalog& catalog,
                                              const std::vector<Family>& families) {
    std::map<jit::KernelName, Wanted> kernels;
    for (const Problem& problem : problems()) {
        for (const SelectOptions& options : {SelectOptions(), SelectOptions{.kinds = {MatchKind::default_rule}}}) {
            const Selector selector = catalog.select(problem, device, options);
            for (std::uint64_t units = 1; units < std::uint64_t{1} << 32; units *= 8) {
                const auto match = selector.find(units * std::max<std::uint64_t>(1, problem.row_length));
                if (!match) continue;
                const Family& family = jit::find_family(families, match->family);
                for (const Launch& launch : match->plan.launches()) {
                    Wanted& wanted =
                        kernels[launch::kernel_name(family, problem, launch::KernelRequest(*match), launch.role)];
                    wanted.shared_bytes = std::max(wanted.shared_bytes, launch.shared_bytes);
                    wanted.block = std::max(wanted.block, launch.block);
                }
            }
        }
    }
    return kernels;
}

// Kernels that look-ups return for devices that were never tuned compile for them, and fit them. A sample of them is
// compiled, every `step`-th.
TEST(Rungs, WhatEveryDeviceGetsCompilesAndFits) {
    constexpr std::size_t step = 7;
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::vector<Family> families = sources.families();
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    const db::TemporaryFolder folder;
    jit::CubinCache cache(folder / "cache", std::uint64_t{1} << 30);
    std::size_t offset = 0;
    for (const DeviceInfo& device : devices()) {
        const std::map<jit::KernelName, Wanted> kernels = kernels_for(device, catalog, families);
        std::vector<jit::KernelName> names;
        std::size_t i = offset++;
        for (const auto& [name, wanted] : kernels) {
            if (i++ % step == 0) names.push_back(name);
        }
        const auto compiled = jit::Compiler(sources, cache, device.architecture()).compile(names);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const Wanted& wanted = kernels.at(names[k]);
            const KernelResources& resources = compiled[k].resources;
            EXPECT_EQ(compiled[k].error, "") << device.name << ": " << names[k].expression;
            EXPECT_LE(resources.shared_bytes + wanted.shared_bytes, device.max_shared_bytes_per_block)
                << device.name << ": " << names[k].expression;
            EXPECT_LE(resources.registers * wanted.block, device.max_registers_per_block)
                << device.name << ": " << names[k].expression;
        }
        std::printf("%s (%s): %zu of %zu kernels\n", device.name.c_str(), device.architecture().c_str(), names.size(),
                    kernels.size());
        EXPECT_GT(names.size(), 3U);
    }
}

}  // namespace
}  // namespace redtune
