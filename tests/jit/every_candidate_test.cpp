#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "db/space.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tuner/core/environment.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_name.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::jit {
namespace {

constexpr Shape shapes[] = {Shape(),
                            Shape{.row_length = 2},
                            Shape{.row_length = 32},
                            Shape{.row_length = 1024},
                            Shape{.row_length = 1 << 20},
                            Shape{.columns = 4},
                            Shape{.columns = 256}};
constexpr int least_octave = 8;
constexpr int largest_octave = 32;

/// Adds the kernels that the candidates of a family need on a device for 2^octave elements.
void add_kernels(const Family& family, const DeviceInfo& device, const Problem& problem, int octave,
                 std::set<KernelName>& names) {
    // The candidates of this regime include those of all other regimes.
    for (const Candidate& candidate :
         db::candidates(family, device, problem, std::uint64_t{1} << octave, Regime::back_to_back)) {
        for (const KernelRole role : roles_of(candidate.rule)) {
            names.insert(launch::kernel_name(family, problem, {candidate.configuration, candidate.rule}, role));
        }
    }
}

/// Returns the kernels that all candidates of a problem need on a device, for every `octaves`-th power of two as size,
/// and the tuner's own kernels.
std::vector<KernelName> all_kernels(const std::vector<Family>& families, const DeviceInfo& device, Problem problem,
                                    int octaves) {
    std::set<KernelName> names;
    problem.destructive = true;
    for (const Shape& shape : shapes) {
        problem = with_shape(problem, shape);
        for (const Family& family : families) {
            for (int octave = least_octave; octave <= largest_octave; octave += octaves) {
                add_kernels(family, device, problem, octave, names);
            }
        }
        for (const KernelName& name : timing::support_kernel_names(problem)) names.insert(name);
    }
    return {names.begin(), names.end()};
}

/// Returns one kernel that a candidate of a family needs, for a shape and a size that `turn` picks among those for
/// which there are candidates; else one of the tuner's own kernels.
KernelName some_kernel(const Family& family, const DeviceInfo& device, Problem problem, std::size_t turn) {
    constexpr std::size_t octaves = largest_octave - least_octave + 1;
    problem.destructive = true;
    std::set<KernelName> names;
    for (std::size_t i = 0; i < std::size(shapes) * octaves && names.empty(); ++i) {
        problem = with_shape(problem, shapes[(turn + i) % std::size(shapes)]);
        add_kernels(family, device, problem, least_octave + static_cast<int>((turn * 7 + i) % octaves), names);
    }
    if (names.empty()) {
        for (const KernelName& name : timing::support_kernel_names(problem)) names.insert(name);
    }
    return *std::next(names.begin(), static_cast<std::ptrdiff_t>(turn * 7919 % names.size()));
}

/// Returns every problem: each operator with each of its types.
std::vector<Problem> all_problems() {
    std::vector<Problem> problems;
    for (const std::string& op : operator_names()) {
        for (const std::string& type : type_names()) {
            for (const ResultTypes& types : result_types(op, parse_type(type))) {
                problems.push_back(make_problem(op, parse_type(type), types.accumulator, types.output));
            }
        }
    }
    return problems;
}

/// Compute capabilities from Turing to Blackwell, as major x 10 + minor.
constexpr int architectures[] = {75, 80, 86, 89, 90, 100, 120};

/// The parameter is one of the compute capabilities.
class EveryCandidate : public ::testing::TestWithParam<int> {};

// If $REDTUNE_EVERY_CANDIDATE is 1, the test compiles the kernels of all problems and sizes; if it is N, every Nth
// kernel of all problems at every sixth power of two. Without the variable, it compiles one kernel of every seventh
// problem, so that the seven architectures together have one of each.
TEST_P(EveryCandidate, Compiles) {
    const auto wanted = environment_variable("REDTUNE_EVERY_CANDIDATE");
    const std::size_t every = wanted ? std::stoull(*wanted) : 0;
    DeviceInfo device = redtune::test_support::h200();
    device.compute_major = GetParam() / 10;
    device.compute_minor = GetParam() % 10;
    const SourceSet sources = SourceSet::load();
    const std::vector<Family> families = sources.families();
    const db::TemporaryFolder folder;
    CubinCache cache(folder.path() / "cache", std::uint64_t{1} << 30);
    Compiler compiler(sources, cache, device.architecture());
    const std::vector<Problem> problems = all_problems();
    std::vector<KernelName> names;
    if (every != 0) {
        std::size_t seen = static_cast<std::size_t>(GetParam());
        for (const Problem& problem : problems) {
            for (const KernelName& name : all_kernels(families, device, problem, every == 1 ? 1 : 6)) {
                if (++seen % every == 0) names.push_back(name);
            }
        }
    } else {
        constexpr std::size_t step = std::size(architectures);
        for (std::size_t i = std::ranges::find(architectures, GetParam()) - architectures; i < problems.size();
             i += step) {
            names.push_back(some_kernel(families[i / step % families.size()], device, problems[i], i));
        }
    }
    const std::vector<CompiledKernel> kernels = compiler.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(kernels[i].error, "") << names[i].expression;
        // The threads of a block of 1024 have at most 64 registers each, and may spill a few. More spills are a mistake
        // in a kernel.
        EXPECT_LE(kernels[i].resources.spill_bytes, 256U) << names[i].expression;
    }
    std::printf("%s: %zu kernels\n", device.architecture().c_str(), names.size());
    EXPECT_GT(names.size(), 10U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, EveryCandidate, ::testing::ValuesIn(architectures),
                         [](const auto& test) { return "sm_" + std::to_string(test.param); });

}  // namespace
}  // namespace redtune::jit
