#include "tests/emulator/families/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "db/space.h"
#include "tuner/core/hash.h"
#include "tuner/jit/source_set.h"

namespace redtune::emulated {

namespace {

/// A small device: few blocks then make all grids.
DeviceInfo small_device() {
    DeviceInfo device;
    device.name = "emulated";
    device.compute_major = 9;
    device.sm_count = 3;
    device.l2_bytes = std::uint64_t{1} << 20;
    device.memory_bytes = std::uint64_t{1} << 30;
    return device;
}

constexpr std::uint64_t planned_n = 6000;
constexpr std::uint64_t largest_tile = 4096;
constexpr std::uint32_t usual_block = 128;
constexpr std::uint64_t longest_row = 5003;
constexpr std::uint64_t row_lengths[] = {32, 2, 3, 31, 33, 100, 1000, 7, longest_row};

std::size_t scattered(const std::string& text) {
    return std::stoull(content_hash(text).substr(0, 12), nullptr, 16);
}

/// The family's candidates for a problem that are small enough to be run often, in an order that is the same everywhere
/// and favours no parameter.
std::vector<Candidate> small_candidates(const Family& family, const Problem& problem, Extent extent) {
    const std::uint64_t n = problem.row_length == 0
                                ? planned_n
                                : problem.row_length * std::max<std::uint64_t>(4, planned_n / problem.row_length);
    std::vector<Candidate> all = db::candidates(family, small_device(), problem, n);
    // Some barriers matter in the largest blocks only.
    if (extent != Extent::proof) {
        std::erase_if(all, [](const Candidate& candidate) { return candidate.rule.tile > largest_tile; });
    }
    std::uint32_t least = 1024;
    for (const Candidate& candidate : all) least = std::min(least, candidate.rule.block);
    std::erase_if(all, [&](const Candidate& candidate) {
        return candidate.rule.block > std::max(least, usual_block) && extent != Extent::proof;
    });
    std::map<std::size_t, Candidate> shuffled;
    for (Candidate& candidate : all)
        shuffled.emplace(scattered(to_string(candidate.configuration)), std::move(candidate));
    std::vector<Candidate> ordered;
    for (auto& [hash, candidate] : shuffled) ordered.push_back(std::move(candidate));
    return ordered;
}

/// What makes kernels differ in how they synchronise: finish, warps of a block, threads of a row.
std::string kind_of(const Candidate& candidate) {
    std::string kind = std::to_string(candidate.rule.block);
    for (const char* name : {"finish", "lanes", "threads_per_row"}) {
        if (const Value* value = candidate.configuration.find(name)) kind += " " + to_string(*value);
    }
    return kind;
}

std::vector<Problem> problems_of(const Family& family, const std::string& op, Type type, std::size_t turn) {
    std::vector<Problem> problems;
    const std::vector<ResultTypes> types = result_types(op, type);
    if (types.empty()) return problems;
    Problem problem = make_problem(op, type);
    problem.destructive = family.destructive;
    if (family.shapes.front() == "rows") problem.row_length = row_lengths[turn % std::size(row_lengths)];
    problems.push_back(problem);
    return problems;
}

}  // namespace

Extent parse_extent(std::string_view name) {
    if (name == "proof") return Extent::proof;
    if (name == "sample") return Extent::sample;
    if (name == "full") return Extent::full;
    throw std::invalid_argument("the extent is proof, sample or full");
}

std::vector<Family> emulated_families() {
    jit::SourceSet sources = jit::SourceSet::load();
    sources.add_template("examples/contiguous.cuh");
    return sources.families();
}

std::vector<Case> select_cases(const Family& family, Extent extent) {
    std::vector<Case> cases;
    std::set<std::string> seen;
    const auto add = [&](const Problem& problem, Candidate candidate) {
        Case entry{&family, problem, std::move(candidate)};
        if (seen.insert(name_of(entry)).second) cases.push_back(std::move(entry));
    };
    std::size_t turn = scattered(family.name) % 97;
    // Up to `most` candidates, the first of each kind.
    const auto add_kinds = [&](const Problem& problem, std::size_t most) {
        std::set<std::string> kinds;
        std::vector<Candidate> candidates = small_candidates(family, problem, extent);
        for (Candidate& candidate : candidates) {
            if (kinds.size() < most && kinds.insert(kind_of(candidate)).second) add(problem, std::move(candidate));
        }
        return !kinds.empty();
    };
    const std::vector<std::string> types = type_names();
    const std::vector<std::string> ops = operator_names();

    for (const char* type : {"f32", "i32"}) {
        for (Problem problem : problems_of(family, "sum", parse_type(type), turn++)) {
            add_kinds(problem, extent == Extent::full ? 32 : 8);
            if (problem.row_length == 0) continue;
            problem.row_length = longest_row;  // for those that share a row among blocks
            add_kinds(problem, 8);
        }
    }
    if (extent == Extent::proof) return cases;
    for (const std::string& op : ops) {
        // Types in turn, until the family and the operator have three.
        int found = 0;
        for (std::size_t i = 0; i < types.size() && found < 3; ++i) {
            turn += 5;
            for (const Problem& problem : problems_of(family, op, parse_type(types[turn % types.size()]), turn)) {
                found += add_kinds(problem, 1);
            }
        }
    }
    for (const std::string& type : types) {
        for (const Problem& problem : problems_of(family, "sum", parse_type(type), turn++)) add_kinds(problem, 1);
    }
    if (extent == Extent::full) {
        for (const std::string& op : ops) {
            for (const std::string& type : types) {
                for (const Problem& problem : problems_of(family, op, parse_type(type), turn++)) add_kinds(problem, 3);
            }
        }
    }
    return cases;
}

std::string name_of(const Case& entry) {
    return fmt::format("{} of {}, {}: {}", entry.problem.op, to_string(entry.problem.input), shape_name(entry.problem),
                       to_string(entry.candidate.configuration));
}

std::vector<std::uint64_t> sizes_of(const Case& entry) {
    const LaunchRule& rule = entry.candidate.rule;
    std::set<std::uint64_t> sizes;
    if (entry.problem.row_length != 0) {
        const std::uint64_t at_once = rule.rows_per_block;
        for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, at_once, 2 * at_once + 1}) {
            if (rows * entry.problem.row_length <= 4 * planned_n || rows <= 1)
                sizes.insert(rows * entry.problem.row_length);
        }
    } else {
        for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, rule.tile - 1, rule.tile, rule.tile + 1,
                                      2 * rule.tile + rule.block / 2 + 1, 5 * rule.tile + 3, std::uint64_t{1009}}) {
            sizes.insert(n);
        }
    }
    return {sizes.begin(), sizes.end()};
}

}  // namespace redtune::emulated
