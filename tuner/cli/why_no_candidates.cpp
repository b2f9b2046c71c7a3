#include "tuner/cli/why_no_candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/space.h"

namespace redtune::cli {

namespace {

bool has_shape(const Family& family, std::string_view shape) {
    return std::find(family.shapes.begin(), family.shapes.end(), shape) != family.shapes.end();
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
    if (problem.row_length == 0 && !has_shape(family, "whole")) return "only for rows: --shape rows:LENGTH";
    if (problem.row_length != 0 && !has_shape(family, "rows")) return "only for whole arrays: --shape whole";
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
