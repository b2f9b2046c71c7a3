#include "tuner/report/page_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tuner/core/operator.h"
#include "tuner/report/compact_json.h"
#include "tuner/report/describe_problem.h"

namespace redtune::report {

namespace {

bool has_default_types(const Problem& problem) {
    if (find_operator(problem.op) == nullptr) return true;
    const auto types = result_types(problem.op, problem.input);
    return types.empty() || types.front() == ResultTypes{problem.accumulator, problem.output};
}

}  // namespace

std::string shell_quoted(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string command_options(const Problem& problem) {
    std::string text = fmt::format("--op {} --dtype {}", shell_quoted(problem.op), to_string(problem.input));
    if (!has_default_types(problem)) {
        text += fmt::format(" --accumulator {} --output {}", to_string(problem.accumulator), to_string(problem.output));
    }
    if (shape_of(problem).kind() != ShapeKind::whole) text += " --shape " + shape_name(problem);
    if (problem.destructive) text += " --destructive";
    return text;
}

std::string cpp_statements(const Problem& problem) {
    const auto type = [](Type each) { return fmt::format("redtune::Type::{}", to_string(each)); };
    // A JSON text is also a C++ string literal.
    std::string made = fmt::format("redtune::make_problem({}, {}", compact(problem.op), type(problem.input));
    if (!has_default_types(problem)) made += fmt::format(", {}, {}", type(problem.accumulator), type(problem.output));
    std::string text = fmt::format("redtune::Problem problem = {});\n", made);
    const Shape shape = shape_of(problem);
    if (shape.row_length != 0) text += fmt::format("problem.row_length = {};\n", shape.row_length);
    if (shape.columns != 0) text += fmt::format("problem.columns = {};\n", shape.columns);
    if (problem.destructive) text += "problem.destructive = true;\n";
    return text;
}

std::size_t PageProblems::index_of(Problem problem) {
    problem.determinism = Determinism::any;
    const auto found = std::ranges::find(problems_, problem);
    const auto index = static_cast<std::size_t>(found - problems_.begin());
    if (found == problems_.end()) problems_.push_back(std::move(problem));
    return index;
}

Json PageProblems::json() const {
    Json list = Json::array();
    std::set<std::string> names;
    for (const Problem& problem : problems_) {
        // The default types of a user's operator are not known here, so two of its problems may have the same name.
        std::string name = describe(problem);
        if (!names.insert(name).second) {
            name += fmt::format(" in {} to {}", to_string(problem.accumulator), to_string(problem.output));
        }
        list.push_back({{"name", name},
                        {"op", problem.op},
                        {"dtype", to_string(problem.input)},
                        {"shape", shape_name(problem)},
                        {"bytes", bytes_read(problem, 1)},
                        {"options", command_options(problem)},
                        {"cpp", cpp_statements(problem)}});
    }
    return list;
}

}  // namespace redtune::report
