#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::jit {
namespace {

std::vector<Problem> problems() {
    return {make_problem("sum", Type::f32), make_problem("argmax", Type::f16), make_problem("mean", Type::bf16),
            make_problem("dot", Type::f32)};
}

/// Returns the kernels of a device's look-ups that load the number of elements from device memory.
std::set<KernelName> counted_kernels(const DeviceInfo& device, const Catalog& catalog,
                                     const std::vector<Family>& families) {
    std::set<KernelName> names;
    for (const Problem& problem : problems()) {
        const Selector selector = catalog.select(problem, device);
        for (std::uint64_t n = 1000; n < std::uint64_t{1} << 28; n *= 512) {
            const auto match = selector.find(n);
            if (!match) continue;
            const launch::KernelRequest request(*match, launch::CountPlace::device_memory);
            for (const KernelRole role : roles_of(*match->rule)) {
                names.insert(launch::kernel_name(find_family(families, match->family), problem, request, role));
            }
        }
    }
    return names;
}

TEST(DeviceCount, KernelsThatLoadTheCountCompileForEveryGenerationOfGpus) {
    const SourceSet sources = SourceSet::load();
    const std::vector<Family> families = sources.families();
    const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    const db::TemporaryFolder folder;
    CubinCache cache(folder / "cache", std::uint64_t{1} << 30);
    for (const char* name : {"Tesla T4", "NVIDIA A100-SXM4-80GB", "NVIDIA H200"}) {
        const DeviceInfo device = find_well_known_device(name).value();
        const std::set<KernelName> wanted = counted_kernels(device, catalog, families);
        const std::vector<KernelName> names(wanted.begin(), wanted.end());
        EXPECT_GT(names.size(), 5U) << name;
        const auto compiled = Compiler(sources, cache, device.architecture()).compile(names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_EQ(compiled[i].error, "") << name << ": " << names[i].expression;
        }
    }
}

}  // namespace
}  // namespace redtune::jit
