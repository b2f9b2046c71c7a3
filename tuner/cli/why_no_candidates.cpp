#include "tuner/cli/why_no_candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/space.h"

namespace redtune::cli {

namespace {

bool has_shape(const Family& family, std::string_view shape) {
    return std::find(family.shapes.begin(), family.shapes.end(), shape) != family.shapes.end();
}

/// Returns the shape that the family is for, and the option that asks for it.
std::string only_for(const Family& family) {
    if (family.shapes.front() == "rows") return "only for rows: --shape rows:LENGTH";
    if (family.shapes.front() == "columns") return "only for columns: --shape columns:COUNT";
    return "only for whole arrays: --shape whole";
}

/// Returns the first of the family's conditions that no configuration satisfies together with the conditions before it;
/// empty if some configuration satisfies all conditions.
std::string failing_condition(const Family& family, const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
    Family part = family;
    part.where.clear();
    for (const Expression& condition : family.where) {
        part.where.push_back(condition);
        if (db::candidates(part, device, problem, n).empty()) return condition.sql;
    }
    return "";
}

}  // namespace

std::string why_no_candidates(const Family& family, const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
    const int compute_capability = device.compute_major * 10 + device.compute_minor;
    if (compute_capability < family.minimum_compute_capability) {
        return fmt::format("needs compute capability {}.{}", family.minimum_compute_capability / 10,
                           family.minimum_compute_capability % 10);
    }
    if (!has_shape(family, to_string(shape_of(problem).kind()))) return only_for(family);
    if (family.destructive && !problem.destructive) return "overwrites its input: --destructive allows that";
    if (problem.determinism == Determinism::run_to_run) {
        Problem any = problem;
        any.determinism = Determinism::any;
        if (!db::candidates(family, device, any, n).empty())
            return "its results may differ in rounding: not run_to_run";
    }
    const std::string condition = failing_condition(family, device, problem, n);
    return condition.empty() ? "no launch is legal at this size" : "no configuration satisfies " + condition;
}

}  // namespace redtune::cli
