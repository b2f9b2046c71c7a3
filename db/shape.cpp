#include "db/shape.h"

namespace redtune::db {

namespace {

constexpr std::string_view destructive = " destructive";

}  // namespace

std::string stored_shape(const Problem& problem) {
    std::string text = shape_name(problem);
    if (problem.destructive) text += destructive;
    return text;
}

void read_shape(std::string_view text, Problem& problem) {
    problem.destructive = text.ends_with(destructive);
    if (problem.destructive) text.remove_suffix(destructive.size());
    problem = with_shape(problem, parse_shape(text));
}

}  // namespace redtune::db
