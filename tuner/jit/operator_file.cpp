#include "tuner/jit/operator_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/front_matter.h"
#include "tuner/jit/source_set.h"

namespace redtune::jit {

namespace {

constexpr std::array<std::string_view, 4> known_keys = {"operator", "summary", "arrays", "types"};

Type type_of(const FrontMatter& matter, const toml::node& node) {
    try {
        return parse_type(node.value_or(std::string_view()));
    } catch (const InputError& error) {
        matter.blame(node, error.what());
    }
}

std::map<Type, ResultTypes> types_of_sum() {
    std::map<Type, ResultTypes> types;
    for (const std::string& name : type_names())
        types[parse_type(name)] = result_types("sum", parse_type(name)).front();
    return types;
}

std::map<Type, ResultTypes> read_types(const FrontMatter& matter) {
    const toml::node* node = matter.root().get("types");
    if (node == nullptr) return types_of_sum();
    if (!node->is_table()) matter.blame(*node, "'types' must be a table: [types], f32 = [\"f32\", \"f32\"]");
    std::map<Type, ResultTypes> types;
    in_file_order(*node->as_table(), [&](const std::string& name, const toml::node& pair) {
        const toml::array* list = pair.as_array();
        if (list == nullptr || list->size() != 2) {
            matter.blame(
                pair, fmt::format("'{}' must be its accumulator and output type: {} = [\"f32\", \"f32\"]", name, name));
        }
        Type input = Type::f32;
        try {
            input = parse_type(name);
        } catch (const InputError& error) {
            matter.blame(pair, error.what());
        }
        const ResultTypes result{type_of(matter, *list->get(0)), type_of(matter, *list->get(1))};
        if (size_of(result.accumulator) < sizeof(std::uint32_t)) {
            matter.blame(pair, "an accumulator has 32 or 64 bits: allowed are i32, u32, i64, u64, f32, f64");
        }
        types[input] = result;
    });
    return types;
}

/// @param what what the source is, for error messages
OperatorFile read_source(std::string path, std::string text, std::string_view what) {
    OperatorFile file;
    file.path = std::move(path);
    file.text = std::move(text);
    const FrontMatter matter(file.path, file.text, what);
    matter.allow_only(known_keys);
    file.info.name = matter.text("operator");
    if (!is_identifier(file.info.name)) {
        matter.blame(matter.first_line(),
                     "'operator' must name the operator: operator = \"my_operator\", of a-z, 0-9 and _");
    }
    if (find_operator(file.info.name) != nullptr) {
        matter.blame(*matter.root().get("operator"),
                     fmt::format("'{}' is an operator that redtune has; give yours another name", file.info.name));
    }
    file.info.summary = matter.text("summary");
    if (const toml::node* arrays = matter.root().get("arrays"); arrays != nullptr) {
        const auto count = arrays->value<std::int64_t>();
        if (!count || *count < 1 || *count > 2) matter.blame(*arrays, "'arrays' must be 1 or 2");
        file.info.arrays = static_cast<std::uint32_t>(*count);
    }
    file.types = read_types(matter);
    return file;
}

}  // namespace

OperatorFile read_operator_file(const std::string& path) {
    return read_source(path, read_text(path), "a file of operators");
}

OperatorFile read_operator_text(std::string text) {
    return read_source(std::string(operator_text_path), std::move(text), "the source of an operator");
}

std::optional<OperatorFile> read_given_operator(const std::string& file, const std::string& text) {
    if (!file.empty() && !text.empty()) {
        throw InputError(fmt::format(
            "the operator is given twice, as the file {} and as the text operator_source; give one of them", file));
    }
    if (!file.empty()) return read_operator_file(file);
    if (!text.empty()) return read_operator_text(text);
    return std::nullopt;
}

Problem make_problem(const OperatorFile& file, Type input) {
    const auto types = file.types.find(input);
    if (types == file.types.end()) {
        std::vector<std::string_view> names;
        for (const auto& [type, result] : file.types) names.push_back(to_string(type));
        throw InputError(fmt::format("{} has no input type {}; its source has {}", file.info.name, to_string(input),
                                     fmt::join(names, ", ")));
    }
    Problem problem;
    problem.op = file.info.name;
    problem.input = input;
    problem.accumulator = types->second.accumulator;
    problem.output = types->second.output;
    problem.arrays = file.info.arrays;
    return problem;
}

}  // namespace redtune::jit
