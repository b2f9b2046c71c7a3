// Properties of every look-up on devices that were never tuned. The checks here use none of tuner/lookup: they state
// again, from NVIDIA's documentation and the finishes' descriptions, what a device can run.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "db/single_candidate.h"
#include "redtune/catalog.h"
#include "tests/support/source_path.h"
#include "tuner/core/built_in_families.h"
#include "tuner/core/launch_rule.h"
#include "tuner/core/well_known_devices.h"

namespace redtune {

/// RapidCheck prints the counterexample by this.
void showValue(MatchKind kind, std::ostream& out) {
    out << to_string(kind);
}

namespace {

/// Returns an Ampere GPU that differs from every tuned device.
DeviceInfo small_device(std::string name) {
    DeviceInfo device = find_well_known_device("NVIDIA GeForce RTX 3060").value();
    device.name = std::move(name);
    return device;
}

std::vector<DeviceInfo> devices() {
    std::vector<DeviceInfo> made;
    for (const char* name : {"NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "NVIDIA B200", "Orin", "Tesla T4",
                             "NVIDIA H200", "NVIDIA H100 80GB HBM3"}) {
        made.push_back(find_well_known_device(name).value());
    }
    made.push_back(small_device("one SM"));
    made.back().sm_count = 1;
    for (const std::uint32_t threads : {64, 128, 256}) {
        made.push_back(small_device("one SM with one block"));
        made.back().sm_count = 1;
        made.back().max_threads_per_sm = threads;
    }
    made.push_back(find_well_known_device("NVIDIA H200").value());  // has clusters, but no room for one
    made.back().name = "one SM with clusters";
    made.back().sm_count = 1;
    made.push_back(small_device("8 KiB of shared memory"));
    made.back().max_shared_bytes_per_block = 8 << 10;
    return made;
}

Problem random_problem() {
    Problem problem;
    do {
        std::vector<std::string> names = operator_names();
        names.insert(names.end(), 16, "sum");  // of which most was tuned
        const std::string op = *rc::gen::elementOf(names);
        const Type type = parse_type(*rc::gen::elementOf(type_names()));
        const auto types = result_types(op, type);
        if (types.empty()) continue;
        const ResultTypes chosen = *rc::gen::elementOf(types);
        problem = make_problem(op, type, chosen.accumulator, chosen.output);
        break;
    } while (true);
    problem.row_length = *rc::gen::elementOf(std::vector<std::uint64_t>{0, 0, 0, 2, 8, 33, 1000, 65536, 10'000'000});
    problem.determinism = *rc::gen::element(Determinism::any, Determinism::run_to_run);
    problem.destructive = *rc::gen::arbitrary<bool>();
    return problem;
}

SelectOptions random_options() {
    SelectOptions options;
    options.regime = *rc::gen::element(Regime::cold, Regime::warm, Regime::back_to_back);
    const auto workspace = *rc::gen::elementOf(std::vector<std::uint64_t>{0, 256, 1024, 65536, 1 << 24});
    if (*rc::gen::inRange(0, 3) == 0) options.max_workspace_bytes = workspace;
    options.allow_pdl = *rc::gen::arbitrary<bool>();
    options.allow_forward_progress = *rc::gen::arbitrary<bool>();
    if (*rc::gen::inRange(0, 4) == 0) {
        const auto all = match_kinds();
        options.kinds = {all.begin(), all.end()};
        std::erase_if(options.kinds, [](MatchKind) { return *rc::gen::arbitrary<bool>(); });
    }
    return options;
}

std::string value_of(const Match& match, std::string_view parameter) {
    for (const Parameter& each : match.parameters) {
        if (each.name == parameter) return to_string(each.value);
    }
    return "";
}

/// Returns whether at least two blocks of so many threads are resident at once whatever registers they use.
bool two_blocks_fit(const DeviceInfo& device, std::uint32_t threads) {
    const std::uint32_t registers_per_thread = std::min(255U, 65536U / threads);
    const std::uint32_t rounded = (registers_per_thread + 7) / 8 * 8;
    const bool two_on_one_sm = 2 * threads <= device.max_threads_per_sm && 2 * threads * rounded <= 65536;
    return device.sm_count >= 2 || two_on_one_sm;
}

void check_legal(const DeviceInfo& device, const Match& match) {
    const int compute_capability = device.compute_major * 10 + device.compute_minor;
    const LaunchRule& rule = *match.rule;
    const std::string finish = value_of(match, "finish");
    RC_ASSERT(find_built_in_family(match.family)->minimum_compute_capability <= compute_capability);
    RC_ASSERT(compute_capability >= 90 || (!rule.pdl && !rule.combine_pdl && rule.cluster == 1));
    RC_ASSERT(compute_capability >= 90 || (finish != "dependent" && !finish.starts_with("cluster")));
    RC_ASSERT(rule.cluster <= 1 || device.sm_count > 1);
    for (const Launch& launch : match.plan.launches()) {
        RC_ASSERT(launch.block <= 1024 && launch.block <= device.max_threads_per_sm);
        RC_ASSERT(launch.grid >= 1 && launch.grid <= 2147483647U);
        RC_ASSERT(launch.shared_bytes + 512 <= device.max_shared_bytes_per_block);
    }
    const bool waits = finish == "publish" || finish == "cluster_publish" || finish == "packed";
    RC_ASSERT(!waits || two_blocks_fit(device, rule.block));
    if (rule.grid == GridRule::blocks_per_sm) RC_ASSERT(rule.sm_count == device.sm_count);
}

void check_options(const Problem& problem, const SelectOptions& options, const Match& match) {
    const std::string finish = value_of(match, "finish");
    for (const Launch& launch : match.plan.launches()) RC_ASSERT(options.allow_pdl || !launch.pdl);
    RC_ASSERT(options.allow_forward_progress ||
              (finish != "publish" && finish != "cluster_publish" && finish != "packed"));
    if (options.max_workspace_bytes) RC_ASSERT(match.plan.workspace_bytes <= *options.max_workspace_bytes);
    RC_ASSERT(problem.determinism == Determinism::any || match.deterministic);
    RC_ASSERT(problem.destructive || !find_built_in_family(match.family)->destructive);
    RC_ASSERT(options.kinds.empty() ||
              std::find(options.kinds.begin(), options.kinds.end(), match.kind) != options.kinds.end());
}

/// The tuner itself would consider the configuration for this device, problem and size, and launch it in this way.
void check_is_candidate(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                        const Match& match) {
    const Configuration configuration{std::string(match.family), {match.parameters.begin(), match.parameters.end()}};
    const auto trial = db::candidate_of(*find_built_in_family(match.family), device, problem, configuration, n, regime);
    RC_ASSERT(trial.has_value());
    LaunchRule rule = trial->rule;
    rule.combine_block = match.rule->combine_block;  // depends on n in some families, and every value is right
    RC_ASSERT(rule == *match.rule);
    const LaunchPlan plan = make_plan(trial->rule, extents_of(problem, n));
    RC_ASSERT(plan.count == match.plan.count);
    RC_ASSERT(plan.workspace_bytes == match.plan.workspace_bytes);
    RC_ASSERT(plan.zeroed_bytes == match.plan.zeroed_bytes);
    for (std::uint32_t i = 0; i < plan.count; ++i) RC_ASSERT(plan.steps[i].grid == match.plan.steps[i].grid);
}

const Catalog& shipped() {
    static const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    return catalog;
}

RC_GTEST_PROP(SelectorProperty, EveryLookUpIsLegalOrSaysWhyNot, ()) {
    const DeviceInfo device = *rc::gen::elementOf(devices());
    const Problem problem = random_problem();
    const SelectOptions options = random_options();
    const Selector selector = shipped().select(problem, device, options);
    for (int i = 0; i < 8; ++i) {
        const std::uint64_t unit = std::max<std::uint64_t>(1, problem.row_length);
        const std::uint64_t n = (*rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(28, 64)) / unit * unit;
        const auto match = selector.find(n);
        RC_ASSERT(selector.why_not(n).empty() == match.has_value());
        if (!match) {
            const bool is_limited =
                options.max_workspace_bytes || !options.kinds.empty() || problem.determinism == Determinism::run_to_run;
            // A row of 2 bytes has too many rows for one grid.
            RC_ASSERT(is_limited || n / unit >= std::uint64_t{1} << 31 || device.max_threads_per_sm < 512);
            continue;
        }
        if (i == 0) RC_TAG(std::string(to_string(match->kind)));
        check_legal(device, *match);
        check_options(problem, options, *match);
        const bool was_tuned_here = match->kind <= MatchKind::beyond && match->row_length == problem.row_length;
        if (!was_tuned_here) check_is_candidate(device, problem, n, options.regime, *match);
    }
}

}  // namespace
}  // namespace redtune
