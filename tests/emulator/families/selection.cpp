#include "tests/emulator/families/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>

#include "db/space.h"
#include "tuner/core/hash.h"
#include "tuner/jit/source_set.h"

namespace redtune::emulated {

namespace {

/// Returns a small device, so that all grids have few blocks.
DeviceInfo small_device() {
    DeviceInfo device;
    device.name = "emulated";
    device.compute_major = 9;
    device.sm_count = 3;
    device.max_shared_bytes_per_block = 227 << 10;
    device.l2_bytes = std::uint64_t{1} << 20;
    device.memory_bytes = std::uint64_t{1} << 30;
    return device;
}

constexpr std::uint64_t planned_n = 6000;
constexpr std::uint64_t large_bytes = std::uint64_t{2} << 20;  // size of an array larger than the small device's L2
constexpr std::uint64_t largest_tile = 4096;
constexpr std::uint32_t usual_block = 128;
constexpr std::int64_t usual_blocks_per_sm = 4;
constexpr std::uint64_t longest_row = 8209;  // 8 KiB even of one-byte elements
constexpr std::uint64_t row_lengths[] = {32, 8, 2, 3, 31, 64, 33, 100, 1000, 7, longest_row};
constexpr std::uint64_t numbers_of_columns[] = {64, 3, 8, 31, 1000, 1, 2, 100, 33, 256, 2500};
constexpr std::uint64_t many_rows = 3000;       // enough for families that give several rows to a thread
constexpr std::uint64_t most_elements = 70000;  // of an array of rows
constexpr std::uint64_t most_elements_of_matrices = 30000;
constexpr std::uint64_t most_elements_of_sampled_matrices = 10000;
constexpr std::size_t sampled_numbers_of_columns = 6;  // the first ones: sums take the others in the full extent only

std::size_t hash_of(const std::string& text) {
    return std::stoull(content_hash(text).substr(0, 12), nullptr, 16);
}

/// Returns the family's candidates for small and for large arrays, or for few and for many rows.
std::vector<Candidate> all_candidates(const Family& family, const Problem& problem) {
    std::vector<std::uint64_t> sizes = {planned_n, large_bytes / size_of(problem.input)};
    if (const Shape shape = shape_of(problem); shape.kind() != ShapeKind::whole) {
        const std::uint64_t few_rows = std::max<std::uint64_t>(4, planned_n / shape.unit());
        sizes = {few_rows * shape.unit(), many_rows * shape.unit()};
    }
    std::vector<Candidate> all;
    std::set<std::string> seen;
    for (const std::uint64_t n : sizes) {
        for (Candidate& candidate : db::candidates(family, small_device(), problem, n)) {
            if (seen.insert(to_string(candidate.configuration)).second) all.push_back(std::move(candidate));
        }
    }
    return all;
}

/// Returns whether a candidate has few blocks on each multiprocessor, or no such parameter.
bool has_few_blocks(const Candidate& candidate) {
    const Value* value = candidate.configuration.find("blocks_per_sm");
    const auto* blocks = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return blocks == nullptr || *blocks <= usual_blocks_per_sm;
}

/// Returns the family's candidates for a problem whose tile, block and grid are small enough to be run often; with
/// Extent::proof, those with a small grid, and with Extent::full, those with a small tile and block. Their order is
/// pseudo-random, the same on every machine, and differs between operators and types.
std::vector<Candidate> small_candidates(const Family& family, const Problem& problem, Extent extent) {
    std::vector<Candidate> all = all_candidates(family, problem);
    // Only Extent::proof keeps large candidates: some barriers are needed only in the largest blocks.
    if (extent != Extent::proof) {
        std::erase_if(all, [](const Candidate& candidate) { return candidate.rule.tile > largest_tile; });
    }
    if (extent != Extent::full) {
        std::erase_if(all, [](const Candidate& candidate) { return !has_few_blocks(candidate); });
    }
    std::uint32_t least = 1024;
    for (const Candidate& candidate : all) least = std::min(least, candidate.rule.block);
    std::erase_if(all, [&](const Candidate& candidate) {
        return candidate.rule.block > std::max(least, usual_block) && extent != Extent::proof;
    });
    std::map<std::size_t, Candidate> shuffled;
    const std::string key = fmt::format("{} {} ", problem.op, to_string(problem.input));
    for (Candidate& candidate : all)
        shuffled.emplace(hash_of(key + to_string(candidate.configuration)), std::move(candidate));
    std::vector<Candidate> ordered;
    for (auto& [hash, candidate] : shuffled) ordered.push_back(std::move(candidate));
    return ordered;
}

/// Returns the traits that make kernels synchronise or access memory differently: the block size and some parameters.
std::vector<std::string> traits_of(const Candidate& candidate) {
    std::vector<std::string> traits = {fmt::format("block {}", candidate.rule.block)};
    for (const char* name : {"finish", "lanes", "threads_per_row", "rows_per_thread", "cluster", "stages", "mapping",
                             "path", "accumulators", "polls_last"}) {
        if (const Value* value = candidate.configuration.find(name)) {
            traits.push_back(fmt::format("{} {}", name, to_string(*value)));
        }
    }
    return traits;
}

/// Returns candidates that together have every trait, and then further candidates with new combinations of traits, up
/// to `most` in all.
std::vector<Candidate> one_of_each_kind(const std::vector<Candidate>& candidates, std::size_t most) {
    std::set<std::string> traits;
    std::set<std::vector<std::string>> kinds;
    std::vector<Candidate> chosen;
    const auto choose_if = [&](auto wanted) {
        for (const Candidate& candidate : candidates) {
            const std::vector<std::string> own = traits_of(candidate);
            if (!wanted(own)) continue;
            kinds.insert(own);
            traits.insert(own.begin(), own.end());
            chosen.push_back(candidate);
        }
    };
    choose_if([&](const auto& own) {
        return std::any_of(own.begin(), own.end(), [&](const auto& trait) { return !traits.contains(trait); });
    });
    choose_if([&](const auto& own) { return chosen.size() < most && !kinds.contains(own); });
    return chosen;
}

/// Returns the position of a family among the emulated ones.
std::size_t position_of(const Family& family) {
    static const std::vector<Family> all = emulated_families();
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const Family& each) { return each.name == family.name; }) -
        all.begin());
}

/// Returns the family's problem for an operator and an element type; nothing if the operator does not support the type.
/// turn: picks the row length or the number of columns if the family reduces rows or columns; a row length for which
/// the family has no candidate is passed over for the next.
std::vector<Problem> problems_of(const Family& family, const std::string& op, Type type, std::size_t turn) {
    std::vector<Problem> problems;
    const std::vector<ResultTypes> types = result_types(op, type);
    if (types.empty()) return problems;
    Problem problem = make_problem(op, type);
    problem.destructive = family.destructive;
    if (family.shapes.front() == "rows") {
        for (std::size_t i = 0; i < std::size(row_lengths); ++i) {
            problem.row_length = row_lengths[(turn + i) % std::size(row_lengths)];
            if (!all_candidates(family, problem).empty()) break;
        }
    }
    if (family.shapes.front() == "columns") problem.columns = numbers_of_columns[turn % std::size(numbers_of_columns)];
    problems.push_back(problem);
    return problems;
}

/// Returns the sizes of whole arrays, or of all rows together, at which a case runs.
std::vector<std::uint64_t> arrays_and_rows(const Case& entry) {
    const LaunchRule& rule = entry.candidate.rule;
    std::set<std::uint64_t> sizes;
    if (entry.problem.row_length != 0) {
        const std::uint64_t at_once = rule.rows_per_block;
        for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, at_once, 2 * at_once + 1}) {
            if (rows * entry.problem.row_length <= most_elements) sizes.insert(rows * entry.problem.row_length);
        }
    } else {
        for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, rule.tile - 1, rule.tile, rule.tile + 1,
                                      2 * rule.tile + rule.block / 2 + 1, 5 * rule.tile + 3, std::uint64_t{1009}}) {
            sizes.insert(n);
        }
        if (const Value* stages = entry.candidate.configuration.find("stages")) {
            // A size at which every block fills its stages and refills some; the first tile may be partial.
            const std::uint64_t blocks = make_plan(rule, large_bytes).launches()[0].grid;
            sizes.insert((std::stoull(to_string(*stages)) + 2) * blocks * rule.tile + 5);
        }
    }
    return {sizes.begin(), sizes.end()};
}

/// Returns the extents at which a case of columns runs: no row, one row, rows around those that a block and all parts
/// reduce at once, and several matrices.
std::vector<Extents> matrices(const Case& entry, std::uint64_t most) {
    const LaunchRule& rule = entry.candidate.rule;
    const std::uint64_t columns = entry.problem.columns;
    const std::uint64_t at_once = std::max<std::uint64_t>(1, rule.tile / rule.columns_per_block);
    const std::uint64_t of_parts = at_once * rule.parts;
    std::vector<Extents> all;
    for (const auto& [outer, rows] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 0},
                                                              {1, 1},
                                                              {1, 2},
                                                              {1, at_once - 1},
                                                              {1, at_once},
                                                              {1, at_once + 1},
                                                              {1, of_parts + at_once / 2 + 1},
                                                              {1, 2 * of_parts + 3},
                                                              {3, 0},
                                                              {2, 1},
                                                              {3, at_once + 2},
                                                              {5, 7}}) {
        const Extents extents{outer, rows, columns};
        if (extents.n() > most) continue;
        if (std::find(all.begin(), all.end(), extents) == all.end()) all.push_back(extents);
    }
    return all;
}

}  // namespace

Extent parse_extent(std::string_view name) {
    if (name == "proof") return Extent::proof;
    if (name == "sample") return Extent::sample;
    if (name == "full") return Extent::full;
    if (name == "counted") return Extent::counted;
    throw std::invalid_argument("the extent is proof, sample, full or counted");
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
    const std::size_t position = position_of(family);
    std::size_t turn = position;
    const auto add_kinds = [&](const Problem& problem, std::size_t most) {
        for (Candidate& candidate : one_of_each_kind(small_candidates(family, problem, extent), most)) {
            add(problem, std::move(candidate));
        }
    };
    // add_some() adds any candidates, up to `most`.
    const auto add_some = [&](const Problem& problem, std::size_t most) {
        const std::vector<Candidate> candidates = small_candidates(family, problem, extent);
        const std::size_t count = std::min(most, candidates.size());
        for (std::size_t i = 0; i < count; ++i) add(problem, candidates[i]);
        return count > 0;
    };
    const std::vector<std::string> types = type_names();
    const std::vector<std::string> ops = operator_names();

    if (extent == Extent::counted) {
        if (family.shapes.front() != "whole") return cases;
        // Every finish with a result that depends on n.
        for (const char* type : {"f32", "i32"}) {
            for (const Problem& problem : problems_of(family, "mean", parse_type(type), turn++)) add_kinds(problem, 2);
        }
        // All forms of transform, and both variants of arg_extreme_in_tile.cuh.
        for (const auto& [op, type] : {std::pair("sum", "f32"), std::pair("sum", "i32"), std::pair("argmax", "f32"),
                                       std::pair("argmin", "f16"), std::pair("dot", "f32")}) {
            for (const Problem& problem : problems_of(family, op, parse_type(type), turn++)) add_some(problem, 2);
        }
        return cases;
    }
    for (const char* type : {"f32", "i32"}) {
        for (Problem problem : problems_of(family, "sum", parse_type(type), turn++)) {
            add_kinds(problem, extent == Extent::full ? 32 : 8);
            const bool is_full = extent == Extent::full;
            if (problem.columns != 0 && (problem.input == Type::f32 || is_full)) {
                const std::span<const std::uint64_t> numbers(numbers_of_columns);
                for (const std::uint64_t columns : is_full ? numbers : numbers.first(sampled_numbers_of_columns)) {
                    problem.columns = columns;
                    add_kinds(problem, 4);
                }
            }
            if (problem.row_length == 0) continue;
            // For families whose blocks share a row, and for those whose threads take several short rows.
            for (const std::uint64_t row_length : {longest_row, std::uint64_t{8}, std::uint64_t{64}}) {
                problem.row_length = row_length;
                add_kinds(problem, 8);
            }
        }
    }
    if (extent == Extent::proof) {
        // Both variants of arg_extreme_in_tile.cuh have barriers.
        for (const char* type : {"f32", "f16"}) {
            for (const Problem& problem : problems_of(family, "argmin", parse_type(type), turn++)) {
                add_kinds(problem, 4);
            }
        }
        return cases;
    }
    for (std::size_t op = 0; op < ops.size(); ++op) {
        // Tries types in turn until one of them has a candidate for this operator. Each family begins with another
        // type, so that the families together have every operator with every type.
        bool found = false;
        for (std::size_t i = 0; i < types.size() && !found; ++i) {
            const Type type = parse_type(types[(position + op + i) % types.size()]);
            for (const Problem& problem : problems_of(family, ops[op], type, turn++)) {
                found = add_some(problem, 1) || found;
            }
        }
    }
    // Every type: with a sum or, in other families, with a result that is an index.
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string in_turn[] = {"sum", "argmin", "argmax"};
        const std::string& op = in_turn[(position + i) % std::size(in_turn)];
        bool found = false;
        for (const Problem& problem : problems_of(family, op, parse_type(types[i]), turn++))
            found = add_some(problem, 1);
        for (const Problem& problem : problems_of(family, "sum", parse_type(types[i]), turn++)) {
            if (!found) add_some(problem, 1);
        }
    }
    if (extent == Extent::full) {
        for (const std::string& op : ops) {
            for (const std::string& type : types) {
                for (const Problem& problem : problems_of(family, op, parse_type(type), turn++)) add_some(problem, 3);
            }
        }
    }
    return cases;
}

std::string name_of(const Case& entry) {
    return fmt::format("{} of {}, {}: {}", entry.problem.op, to_string(entry.problem.input), shape_name(entry.problem),
                       to_string(entry.candidate.configuration));
}

std::vector<Extents> sizes_of(const Case& entry, Extent extent) {
    if (entry.problem.columns != 0) {
        return matrices(entry, extent == Extent::full ? most_elements_of_matrices : most_elements_of_sampled_matrices);
    }
    std::vector<Extents> all;
    for (const std::uint64_t n : arrays_and_rows(entry)) all.push_back(extents_of(entry.problem, n));
    return all;
}

}  // namespace redtune::emulated
