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

/// A reduction of one input in the emulator, with its own buffers. run() may be called several times; the calls share
/// the workspace.
class FamilyCall {
  public:
    /// @param offset elements that the input is off alignment
    FamilyCall(const Case& entry, const Elements& elements, std::uint64_t n, std::uint64_t offset);

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
    std::string run(const redtune::Launch& step, std::uint64_t seed);

    const Case& entry_;
    std::uint64_t n_;
    LaunchPlan plan_;
    std::uint64_t bytes_;
    std::uint64_t results_;
    std::uint64_t output_bytes_ = 0;
    emulator::Memory memory_;
    unsigned char* input_ = nullptr;
    unsigned char* second_ = nullptr;
    unsigned char* output_ = nullptr;
    unsigned char* workspace_ = nullptr;
    std::vector<unsigned char> pristine_;
    std::vector<test_support::HostResult> expected_;
};

}  // namespace redtune::emulated
