#include "tests/support/random_databases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>
#include <sstream>

#include "db/connection.h"
#include "db/store.h"
#include "tests/support/database_fixture.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::db {

namespace {

constexpr std::array kinds_of_data = {"uniform", "outlier", "file:a.bin@0123"};
constexpr std::array efforts = {"", "quick", "exhaustive"};

rc::Gen<Taken> any_taken() {
    return rc::gen::construct<Taken>(rc::gen::inRange(1, 4), rc::gen::arbitrary<bool>(),
                                     rc::gen::element<std::uint64_t>(1 << 10, 1 << 12), rc::gen::arbitrary<bool>(),
                                     rc::gen::weightedElement<int>({{1, 0}, {1, 1}, {4, 2}}),
                                     rc::gen::weightedElement<int>({{5, 0}, {1, 1}}), rc::gen::inRange(100, 106),
                                     rc::gen::inRange(0, 3), rc::gen::weightedElement<int>({{4, 0}, {2, 1}, {1, 2}}));
}

/// Stores the winners of a sweep: the fastest final measurement of each cell and determinism.
void set_winners(Store& store, std::int64_t sweep, const std::vector<Taken>& taken,
                 const std::vector<std::int64_t>& ids) {
    for (const Determinism determinism : {Determinism::any, Determinism::run_to_run}) {
        std::map<std::pair<std::uint64_t, bool>, std::size_t> best;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (taken[i].stage != 2 || taken[i].status != 0) continue;
            if (determinism == Determinism::run_to_run && !taken[i].deterministic) continue;
            const auto [found, is_first] = best.try_emplace({taken[i].n, taken[i].warm}, i);
            if (taken[i].time_us < taken[found->second].time_us) found->second = i;
        }
        for (const auto& [cell, i] : best) {
            std::vector<DataRatio> data{{kinds_of_data[taken[i].data], 1.0}};
            if (taken[i].data == 0 && taken[i].unroll != 1) data.push_back({"outlier", 1.01});
            store.set_winner(sweep, cell.first, cell.second ? Regime::warm : Regime::cold, determinism, ids[i], "time",
                             1.0 + taken[i].time_us * 1e-3, std::nullopt, data, efforts[taken[i].unroll % 3]);
        }
    }
}

}  // namespace

void check_in_few_cases(const std::function<void()>& property, int divisor) {
    rc::detail::TestParams parameters = rc::detail::configuration().testParams;
    parameters.maxSuccess /= divisor;
    const auto result = rc::detail::checkTestable([&] { property(); }, rc::detail::TestMetadata(), parameters);
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

std::vector<SweepSpec> any_sweeps() {
    return *rc::gen::resize(8, rc::gen::container<std::vector<SweepSpec>>(rc::gen::construct<SweepSpec>(
                                   rc::gen::inRange(0, 2), rc::gen::inRange(0, 4), rc::gen::inRange(0, 2),
                                   rc::gen::inRange(0, 2), rc::gen::weightedElement<int>({{3, 0}, {1, 1}}),
                                   rc::gen::inRange(0, 3), rc::gen::weightedElement<bool>({{4, false}, {1, true}}),
                                   rc::gen::container<std::vector<Taken>>(any_taken()))));
}

std::vector<Copy> any_copies(const std::vector<SweepSpec>& sweeps) {
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        if (*rc::gen::inRange(0, 3) == 0) continue;
        const std::size_t all = sweeps[i].taken.size();
        const bool is_whole = *rc::gen::inRange(0, 3) != 0;
        copies.push_back({i, is_whole ? all : *rc::gen::inRange<std::size_t>(0, all + 1), *rc::gen::inRange(0, 4) != 0,
                          *rc::gen::arbitrary<bool>()});
    }
    return copies;
}

void write_database(const std::filesystem::path& file, const std::vector<SweepSpec>& sweeps,
                    const std::vector<Copy>& copies) {
    Store store = Store::open(file, Access::read_write);
    auto& connection = const_cast<Connection&>(store.connection());
    connection.execute("PRAGMA synchronous = OFF");
    for (const Copy& copy : copies) {
        const SweepSpec& spec = sweeps[copy.spec];
        DeviceInfo device = h200();
        if (spec.device != 0) device.name = "NVIDIA L4";
        device.uuid = spec.unit == 0 || spec.is_replay ? "" : fmt::format("GPU-{}", spec.unit);
        const Problem problem = make_problem(spec.problem == 0 ? "sum" : "max", Type::f32);
        ToolchainInfo versions = toolchain();
        if (spec.driver != 0) versions.driver_version = "1000.20";
        const std::int64_t sweep =
            store.begin_sweep(device, problem, versions, spec.is_replay ? "replay:h200" : "gpu", "redtune tune");
        const std::vector<Taken> taken(spec.taken.begin(),
                                       spec.taken.begin() + static_cast<std::ptrdiff_t>(copy.length));
        std::vector<std::int64_t> ids;
        for (const Taken& one : taken) {
            Measurement made = measurement(one.time_us * 0.1, static_cast<Stage>(one.stage));
            made.measured_at = fmt::format("2026-11-20T13:47:0{}Z", one.second);
            made.data = kinds_of_data[one.data];
            if (one.status != 0) {
                made = Measurement{};
                made.status = Status::wrong;
                made.stage = static_cast<Stage>(one.stage);
                made.reason = "expected 1, got 2";
                made.measured_at = "2026-11-20T13:47:00Z";
            }
            const Candidate tried = candidate(one.unroll, one.deterministic);
            ids.push_back(store.record(sweep, tried, fmt::format("hash{}", spec.code), one.n,
                                       one.warm ? Regime::warm : Regime::cold, make_plan(tried.rule, one.n), made));
        }
        set_winners(store, sweep, taken, ids);
        if (copy.is_finished) store.finish_sweep(sweep, "finished");
        connection.execute(fmt::format(
            "UPDATE sweep SET identity = 'sweep-{0}', started_at = {1}, finished_at = {1} + 9 + finished_at * 0 "
            "WHERE id = {2}",
            copy.spec, 1'700'000'000 + spec.started, sweep));
        if (!copy.has_samples) {
            connection.execute(fmt::format(
                "UPDATE measurement SET samples = '[]' WHERE sweep_id = {} AND id NOT IN (SELECT measurement_id "
                "FROM unit_winner)",
                sweep));
        }
    }
    search::update_winners(store);
}

}  // namespace redtune::db
