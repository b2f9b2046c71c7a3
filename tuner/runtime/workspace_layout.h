#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "redtune/selector.h"
#include "tuner/core/launch_rule.h"
#include "tuner/launch/arguments.h"

namespace redtune::runtime {

/// The layout of workspaces that serve any n of a problem. Its zeroed part has the header, and behind it the slots that
/// must be zero; slots that need not be zero follow in a part of their own, because they are not zero after a call.
struct WorkspaceLayout {
    std::uint64_t zeroed_bytes = LaunchPlan::header_bytes;  ///< a multiple of 256
    std::uint64_t bytes = LaunchPlan::header_bytes;         ///< of both parts; a multiple of 256

    /// Makes the parts large enough for a plan.
    void add(const LaunchPlan& plan);
    /// Makes the parts as large as those of another layout.
    void add(const WorkspaceLayout& other);
    /// Returns whether a workspace is large enough for a plan.
    bool holds(const LaunchPlan& plan) const noexcept;
    /// Returns the addresses that a plan's kernels get.
    launch::WorkspaceParts parts(const LaunchPlan& plan, std::uint64_t workspace) const noexcept;
};

/// Returns the layout for every n up to `most`: the largest plans among those of the sizes at which the selector's
/// answers change, and of eight sizes in each power of two. A configuration that a selector picks at one of them is
/// added at the next one too, because it may serve every size up to it.
WorkspaceLayout layout_for(const Selector& selector, const Problem& problem, std::uint64_t most);

/// Returns the layout of a single configuration for every n up to `most` for which it needs at most `most_bytes`.
WorkspaceLayout layout_for(const LaunchRule& rule, const Problem& problem, std::uint64_t most,
                           std::uint64_t most_bytes);

}  // namespace redtune::runtime
