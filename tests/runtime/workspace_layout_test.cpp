#include "tuner/runtime/workspace_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace redtune::runtime {
namespace {

LaunchPlan plan(std::uint64_t slot_bytes, bool zeroed) {
    LaunchPlan plan;
    plan.count = 1;
    plan.workspace_bytes = LaunchPlan::header_bytes + slot_bytes;
    plan.zeroed_bytes = zeroed ? plan.workspace_bytes : LaunchPlan::header_bytes;
    return plan;
}

RC_GTEST_PROP(WorkspaceLayout, SlotsThatMustBeZeroNeverMeetOthers, ()) {
    WorkspaceLayout layout;
    std::vector<LaunchPlan> plans;
    for (const auto& [slots, zeroed] : *rc::gen::container<std::vector<std::pair<std::uint16_t, bool>>>(
             rc::gen::arbitrary<std::pair<std::uint16_t, bool>>())) {
        plans.push_back(plan(slots, zeroed));
        layout.add(plans.back());
    }
    RC_ASSERT(layout.bytes % 256 == 0 && layout.zeroed_bytes % 256 == 0);
    for (const LaunchPlan& one : plans) {
        RC_ASSERT(layout.holds(one));
        const launch::WorkspaceParts parts = layout.parts(one, 0);
        const std::uint64_t slots = one.workspace_bytes - LaunchPlan::header_bytes;
        RC_ASSERT(parts.slots >= LaunchPlan::header_bytes);
        RC_ASSERT(parts.slots + slots <= layout.bytes);
        if (one.zeroed_bytes > LaunchPlan::header_bytes) {
            RC_ASSERT(parts.slots + slots <= layout.zeroed_bytes);
        } else {
            RC_ASSERT(slots == 0 || parts.slots >= layout.zeroed_bytes);
        }
    }
    RC_ASSERT(!layout.holds(plan(layout.bytes, false)) && !layout.holds(plan(layout.bytes, true)));
}

TEST(WorkspaceLayout, APlanWithoutLaunchesChangesNothing) {
    WorkspaceLayout layout;
    LaunchPlan none = plan(1 << 20, true);
    none.count = 0;
    layout.add(none);
    EXPECT_EQ(layout.bytes, LaunchPlan::header_bytes);
}

}  // namespace
}  // namespace redtune::runtime
