#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "tests/emit/emitted_host_code.h"
#include "tests/support/emissions.h"
#include "tuner/emit/fill_in.h"
#include "tuner/launch/arguments.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emit {
namespace {

using test_support::EmissionSource;
using test_support::EmittedHostCode;
using test_support::TunedProblem;

constexpr std::uint64_t workspace = 0x10000;

/// Compares the launches of emitted code with those of the library.
class EmittedLaunches : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        source_ = new EmissionSource(true);
        emissions_ = new std::vector<Emission>;
        std::vector<TunedProblem> tuned = source_->shipped();
        for (TunedProblem& each : source_->with_every_family()) tuned.push_back(std::move(each));
        for (const TunedProblem& each : tuned) {
            emissions_->push_back(source_->emission(each, "emitted" + std::to_string(emissions_->size())));
        }
    }
    static void TearDownTestSuite() {
        delete cuda_code_;
        delete emissions_;
        delete source_;
    }

    /// Returns the host code of the C++ files, which is compiled once.
    static EmittedHostCode& cuda_code() {
        if (cuda_code_ == nullptr) cuda_code_ = new EmittedHostCode(EmittedHostCode::of_cuda_files(*emissions_));
        cuda_code_->recording() = {};
        return *cuda_code_;
    }

    static EmissionSource* source_;
    static std::vector<Emission>* emissions_;
    static EmittedHostCode* cuda_code_;
};

EmissionSource* EmittedLaunches::source_ = nullptr;
std::vector<Emission>* EmittedLaunches::emissions_ = nullptr;
EmittedHostCode* EmittedLaunches::cuda_code_ = nullptr;

/// Returns the sizes to compare: the ends of all intervals and their neighbours, and random sizes between.
std::vector<std::uint64_t> sizes_of(const Emission& emission, std::mt19937_64& random) {
    const Request& request = emission.request;
    const std::uint64_t unit = shape_of(request.problem).unit();
    std::set<std::uint64_t> units;
    for (const SizeInterval& interval : emission.intervals) {
        for (const std::uint64_t distance : {0, 1, 2}) units.insert(interval.last_n / unit + distance);
    }
    std::uniform_real_distribution<double> exponent(std::log2(double(request.least)), std::log2(double(request.most)));
    for (int i = 0; i < 200; ++i) units.insert(static_cast<std::uint64_t>(std::exp2(exponent(random))) / unit);
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t size : units) {
        // The last interval has no end, so some sizes times the unit are not 64-bit numbers.
        if (request.least <= size * unit && size <= request.most / unit) sizes.push_back(size * unit);
    }
    return sizes;
}

/// Returns the launches that the library makes for a match. The slots of a configuration without zeroed slots follow
/// the zeroed part of the emitted workspace.
std::vector<RecordedLaunch> expected_launches(const Emission& emission, const Family& family, const Match& match) {
    std::vector<RecordedLaunch> launches;
    const std::uint64_t moved = match.rule->slots_zeroed ? 0 : emission.zeroed_bytes - LaunchPlan::header_bytes;
    const bool has_two = emission.request.problem.arrays == 2;
    for (const Launch& step : match.plan.launches()) {
        RecordedLaunch& launch = launches.emplace_back();
        const jit::KernelName name =
            launch::kernel_name(family, emission.request.problem, launch::KernelRequest(match), step.role);
        const std::string expression = replace_all(name.expression, emission.reduction, "Reduction");
        const auto kernel = std::find_if(emission.kernels.begin(), emission.kernels.end(), [&](const Kernel& each) {
            return each.name == jit::KernelName{name.source, expression};
        });
        launch.kernel = static_cast<std::uint64_t>(kernel - emission.kernels.begin()) + 1;
        launch.grid = step.grid;
        launch.block = step.block;
        launch.cluster = step.cluster;
        launch.shared_bytes = step.shared_bytes;
        launch.pdl = step.pdl;
        launch.stream = EmittedHostCode::stream;
        const launch::Arguments arguments =
            launch::arguments_of(match.plan, step, {EmittedHostCode::x, has_two ? EmittedHostCode::y : 0},
                                 EmittedHostCode::output, {workspace, workspace + LaunchPlan::header_bytes + moved});
        static_assert(sizeof(arguments) == sizeof(launch.arguments));
        std::memcpy(launch.arguments, &arguments, sizeof(arguments));
    }
    return launches;
}

std::string describe(const std::vector<RecordedLaunch>& launches) {
    std::string text;
    for (const RecordedLaunch& each : launches) {
        text += fmt::format("\nkernel {} grid {} block {} cluster {} shared {} pdl {} stream {} arguments {}",
                            each.kernel, each.grid, each.block, each.cluster, each.shared_bytes, each.pdl, each.stream,
                            fmt::join(each.arguments, " "));
    }
    return text;
}

std::uint64_t expected_workspace(const Emission& emission, const Match& match) {
    return emission.zeroed_bytes +
           (match.rule->slots_zeroed ? 0 : match.plan.workspace_bytes - LaunchPlan::header_bytes);
}

/// Compares the launches for many sizes of every emission. Returns the number of sizes.
std::size_t compare_with_catalog(const EmissionSource& source, const std::vector<Emission>& emissions,
                                 EmittedHostCode& code) {
    std::mt19937_64 random(11);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < emissions.size(); ++i) {
        const Request& request = emissions[i].request;
        for (const std::uint64_t n : sizes_of(emissions[i], random)) {
            const auto match = source.catalog().find(request.problem, n, request.device, request.regime);
            std::vector<RecordedLaunch> launches;
            EXPECT_EQ(code.reduce(i, n, workspace, launches), 0);
            const Family& family = jit::find_family(source.families(), match->family);
            EXPECT_EQ(describe(launches), describe(expected_launches(emissions[i], family, *match)))
                << request.problem.op << " " << shape_name(request.problem) << " n = " << n << ": " << match->family;
            EXPECT_EQ(code.workspace_bytes(i, n), expected_workspace(emissions[i], *match)) << n;
            EXPECT_LE(code.workspace_bytes(i, n), emissions[i].workspace_bytes) << n;
            ++compared;
            if (testing::Test::HasFailure()) return compared;
        }
    }
    return compared;
}

TEST_F(EmittedLaunches, OfCudaFilesAreThoseOfTheCatalog) {
    EmittedHostCode& code = cuda_code();
    EXPECT_GT(compare_with_catalog(*source_, *emissions_, code), 5000U);
}

TEST_F(EmittedLaunches, OfCFilesAreThoseOfTheCatalog) {
    if (!test_support::has_program("cc")) GTEST_SKIP() << "there is no C compiler";
    EmittedHostCode code = EmittedHostCode::of_c_files(*emissions_);
    EXPECT_GT(compare_with_catalog(*source_, *emissions_, code), 5000U);
}

TEST_F(EmittedLaunches, CoverEveryKindOfLaunchRule) {
    std::set<GridRule> grids;
    std::set<Continuation> continuations;
    std::set<std::string> families;
    bool has_cluster = false;
    bool has_pdl = false;
    bool has_shared = false;
    for (const Emission& emission : *emissions_) {
        for (const EmittedConfiguration& each : emission.configurations) {
            grids.insert(each.rule.grid);
            continuations.insert(each.rule.continuation);
            has_cluster = has_cluster || each.rule.cluster > 8;
            has_pdl = has_pdl || each.rule.pdl;
            has_shared = has_shared || each.rule.shared_bytes > 0;
        }
        for (const auto& [family, hash] : emission.code_hashes) families.insert(family);
    }
    EXPECT_EQ(grids.size(), 6U);
    EXPECT_EQ(continuations.size(), 3U);
    EXPECT_EQ(families.size(), source_->families().size());
    EXPECT_TRUE(has_cluster && has_pdl && has_shared);
    EXPECT_GE(emissions_->size(), 50U);
}

// Sizes that are not in the request use the configuration of the nearest interval, with a plan that is valid.
TEST_F(EmittedLaunches, OutsideOfTheSizesUseTheNearestValidConfiguration) {
    EmittedHostCode& code = cuda_code();
    for (std::size_t i = 0; i < emissions_->size(); ++i) {
        const Emission& emission = (*emissions_)[i];
        const Shape shape = shape_of(emission.request.problem);
        const std::uint64_t unit = shape.unit();
        for (const std::uint64_t units : {std::uint64_t{0}, std::uint64_t{1}, emission.request.most / unit + 1,
                                          emission.request.most / unit * 16, std::uint64_t{1} << 40}) {
            const std::uint64_t n = units * unit;
            const auto interval = std::find_if(emission.intervals.begin(), emission.intervals.end(),
                                               [&](const SizeInterval& each) { return n <= each.last_n; });
            std::vector<RecordedLaunch> launches;
            const int error = code.reduce(i, n, workspace, launches);
            if (interval == emission.intervals.end()) {
                EXPECT_EQ(error, 1);
                EXPECT_TRUE(launches.empty());
                EXPECT_EQ(code.workspace_bytes(i, n), 0U);
                continue;
            }
            const EmittedConfiguration& used = emission.configurations[interval->configuration];
            const LaunchPlan plan = try_plan(used.rule, extents_of(shape, n));
            ASSERT_EQ(error, 0);
            ASSERT_EQ(launches.size(), plan.count) << emission.request.problem.op << " n = " << n << ": " << used.text;
            EXPECT_EQ(launches[0].grid, plan.steps[0].grid);
            if (used.rule.slots_zeroed) {
                EXPECT_LE(plan.zeroed_bytes, emission.zeroed_bytes);
            }
        }
        // Every shipped problem has a configuration for whole arrays of any size.
        if (emission.request.device == "NVIDIA H200" && shape.kind() == ShapeKind::whole) {
            EXPECT_EQ(emission.intervals.back().last_n, ~std::uint64_t{0});
        }
    }
}

TEST_F(EmittedLaunches, AreNotMadeForBadArguments) {
    EmittedHostCode& code = cuda_code();
    std::vector<RecordedLaunch> launches;
    for (std::size_t i = 0; i < emissions_->size(); ++i) {
        const std::uint64_t unit = shape_of((*emissions_)[i].request.problem).unit();
        const std::uint64_t n = (*emissions_)[i].request.least;
        EXPECT_EQ(code.reduce(i, n, 0, launches), 1) << "no workspace";
        EXPECT_EQ(code.reduce(i, n, workspace + 128, launches), 1) << "a workspace that is not aligned";
        if (unit != 1) {
            EXPECT_EQ(code.reduce(i, n + 1, workspace, launches), 1) << "a part of a row";
            EXPECT_EQ(code.workspace_bytes(i, n + 1), 0U);
        }
        EXPECT_TRUE(launches.empty());
    }
    code.recording().next_error = 77;
    EXPECT_EQ(code.reduce(0, (*emissions_)[0].request.least, workspace, launches), 77) << "the error of a launch";
}

// Dynamic shared memory beyond the default limit is allowed once on each device.
TEST_F(EmittedLaunches, RaiseTheLimitsOfAKernelOnceOnEachDevice) {
    EmittedHostCode& code = cuda_code();
    auto& limits_set = *code.library().find<std::uint32_t>("limits_set");
    auto& device = *code.library().find<int>("current_device");
    std::vector<RecordedLaunch> launches;
    std::size_t kernels = 0;
    for (std::size_t i = 0; i < emissions_->size(); ++i) {
        const Emission& emission = (*emissions_)[i];
        for (const SizeInterval& interval : emission.intervals) {
            const EmittedConfiguration& used = emission.configurations[interval.configuration];
            if (used.rule.shared_bytes == 0 || interval.last_n > emission.request.most) continue;
            device = static_cast<int>(++kernels);  // a device that this kernel has not run on
            limits_set = 0;
            EXPECT_EQ(code.reduce(i, interval.last_n, workspace, launches), 0);
            EXPECT_EQ(limits_set, 1U);
            EXPECT_GE(*code.library().find<std::uint32_t>("shared_limit"), used.rule.shared_bytes);
            EXPECT_EQ(code.reduce(i, interval.last_n, workspace, launches), 0);
            EXPECT_EQ(limits_set, 1U) << "the limits stay raised";
        }
    }
    EXPECT_GT(kernels, 2U);
}

}  // namespace
}  // namespace redtune::emit
