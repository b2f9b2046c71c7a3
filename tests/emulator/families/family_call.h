#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator.h"
#include "redtune/launch_plan.h"
#include "tests/emulator/families/selection.h"
#include "tests/support/host_reference.h"

namespace redtune::emulated {

/// Returns the bits of the element at an index of the first or the second array.
using Elements = std::function<std::uint64_t(std::uint64_t index, bool is_second)>;

/// A number of elements in device memory, and the upper bound for which the call is launched.
struct CountInMemory {
    std::uint64_t number = 0;
    std::uint64_t most = 0;
};

/// Returns whether the emulator can run a call: all threads that must run at once need stacks.
bool can_run(const Case& entry, const Extents& extents);

/// A reduction of one input in the emulator, with its own buffers. run() may be called several times; the calls share
/// the workspace.
class FamilyCall {
  public:
    /// @param offset elements that the input is off alignment
    FamilyCall(const Case& entry, const Elements& elements, const Extents& extents, std::uint64_t offset)
        : FamilyCall(entry, elements, extents, offset, extents) {}
    FamilyCall(const Case& entry, const Elements& elements, std::uint64_t n, std::uint64_t offset)
        : FamilyCall(entry, elements, extents_of(entry.problem, n), offset) {}
    /// A call whose kernels load the number of elements. The input has no more elements than that, so that a read
    /// beyond them is reported.
    FamilyCall(const Case& entry, const Elements& elements, const CountInMemory& count, std::uint64_t offset);

    /// Runs all launches and returns an empty string, or a description of a defect that does not depend on the values
    /// of the results.
    std::string run(std::uint64_t seed);

    const LaunchPlan& plan() const { return plan_; }
    std::uint64_t results() const { return results_; }
    /// Returns the bits of a result of the last run.
    std::uint64_t result(std::uint64_t i) const;
    /// Returns the expected results, computed on the host.
    const std::vector<test_support::HostResult>& expected() const { return expected_; }

  private:
    FamilyCall(const Case& entry, const Elements& elements, const Extents& extents, std::uint64_t offset,
               const Extents& planned);
    std::string run(const redtune::Launch& step, std::uint64_t seed);

    const Case& entry_;
    LaunchPlan plan_;
    std::uint64_t bytes_;
    std::uint64_t results_;
    std::uint64_t output_bytes_ = 0;
    emulator::Memory memory_;
    unsigned char* input_ = nullptr;
    unsigned char* second_ = nullptr;
    unsigned char* output_ = nullptr;
    unsigned char* workspace_ = nullptr;
    std::uint64_t* count_ = nullptr;  // null: the number of elements is an argument
    std::uint64_t most_ = 0;          // its upper bound
    std::vector<unsigned char> pristine_;
    std::vector<test_support::HostResult> expected_;
};

}  // namespace redtune::emulated
