#include "tuner/cli/compare/accuracy_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/known_names.h"

namespace redtune::cli {

namespace {

constexpr const char* default_elements = "64Ki,16Mi";
constexpr std::array known_ops = {"sum", "dot"};
constexpr std::array known_types = {"f32", "f16", "bf16", "f64"};

std::vector<std::string> known_names(const char* option, const std::vector<std::string>& names, auto known) {
    return each_once(names, [&](const std::string& name) {
        return known_name(option, name, known, "has no error that is measured");
    });
}

std::vector<timing::Data> data_of_option(const std::vector<std::string>& names, const Problem& problem) {
    if (!names.empty()) return timing::parse_data_list(names, problem);
    std::vector<timing::Data> all;
    for (const timing::DataKind kind : timing::data_kinds_of(problem)) all.push_back(timing::data_of(kind));
    return all;
}

}  // namespace

void add_accuracy_options(CLI::App& app, AccuracyOptions& options) {
    app.add_option("--op", options.ops, fmt::format("Operators: {}", fmt::join(known_ops, ", ")))
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--dtype", options.dtypes,
                   fmt::format("Input types: {}; dot is measured in f32 only", fmt::join(known_types, ", ")))
        ->delimiter(',')
        ->capture_default_str();
    add_bench_size_options(app, options.sizes);
    app.add_option(
           "--data", options.data,
           fmt::format("Data of the input: a file of elements, or {} (default: all kinds)", timing::list_data_kinds()))
        ->delimiter(',');
    add_format_option(app, options.format);
    app.footer(fmt::format("Without --bytes and --size, the inputs have {} elements.", default_elements));
}

std::vector<compare::AccuracyRequest> parse_accuracy(const AccuracyOptions& options) {
    BenchSizeOptions sizes = options.sizes;
    if (sizes.bytes.empty() && sizes.elements.empty()) sizes.elements = default_elements;
    const std::vector<std::string> types = known_names("--dtype", options.dtypes, known_types);
    std::vector<compare::AccuracyRequest> requests;
    for (const std::string& op : known_names("--op", options.ops, known_ops)) {
        for (const std::string& type : types) {
            if (op == "dot" && type != "f32") continue;
            const Problem problem = make_problem(op, parse_type(type));
            requests.push_back({problem, bench_sizes(sizes, problem), data_of_option(options.data, problem)});
        }
    }
    if (requests.empty()) {
        throw InputError(fmt::format("--op dot is measured in f32 only, not in {}; add f32 to --dtype, or sum to --op",
                                     fmt::join(types, ", ")));
    }
    return requests;
}

}  // namespace redtune::cli
