#include "tuner/cli/compare/kernel_options.h"

#include <fmt/format.h>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

// The 95 % interval of a ratio is a bootstrap over the pairs of samples, which is not meaningful for only a few pairs.
constexpr int least_rounds = 6;
constexpr int most_rounds = 1000;
constexpr std::uint64_t offset_limit = 64;

}  // namespace

void add_kernel_options(CLI::App& app, KernelOptions& options) {
    const auto add_list = [&](const char* name, auto& list, const std::string& description) {
        app.add_option(name, list, description)->delimiter(',')->capture_default_str();
    };
    app.add_option("--against", options.against, "A folder with the other version's templates/ and kernels_src/")
        ->required();
    add_list("--op", options.ops, "Operators; what is not tuned is left out");
    add_list("--dtype", options.dtypes, "Input types; what is not tuned is left out");
    app.add_option("--bytes", options.bytes, "Bytes of input: 4Ki, 100000, 1Ki..4Gi (powers of two), lists")
        ->capture_default_str();
    add_list("--regime", options.regimes,
             "cold (input in device memory), warm (input in L2, up to half of it), back_to_back, or several");
    add_list("--data", options.data,
             fmt::format("Data of the input: a file of elements, or {}", timing::list_data_kinds()));
    add_list("--offset", options.offsets, "Elements that the pointer is off alignment: 0, 1, or both");
    app.add_option("--rounds", options.rounds, "Samples of each version for a cell")
        ->check(CLI::Range(least_rounds, most_rounds))
        ->capture_default_str();
    app.add_option("--db", options.database, "Database with the tuned configurations (default: see `redtune db path`)");
    app.add_option("-o,--output", options.output, "A file for the result (default: standard output)");
    add_format_option(app, options.format);
}

compare::CellRequest parse_kernel_options(const KernelOptions& options) {
    compare::CellRequest request;
    request.bytes = parse_sizes(options.bytes);
    for (const std::string& name : options.regimes) request.regimes.push_back(parse_regime(name));
    for (const std::uint64_t offset : options.offsets) {
        if (offset >= offset_limit) {
            throw InputError(fmt::format("--offset {} is out of range; allowed are 0 to {}", offset, offset_limit - 1));
        }
        request.offsets.push_back(offset);
    }
    for (const std::string& op : options.ops) {
        for (const std::string& dtype : options.dtypes) {
            const Problem problem = make_problem(op, parse_type(dtype));
            for (const std::uint64_t bytes : request.bytes) {
                const std::uint64_t element = size_of(problem.input);
                if (bytes != 0 && bytes % element == 0) continue;
                throw InputError(
                    fmt::format("--bytes {} is not one or more whole elements of {}; give a multiple of {}",
                                format_size(bytes), dtype, element));
            }
            request.problems.push_back({problem, timing::parse_data_list(options.data, problem)});
        }
    }
    return request;
}

}  // namespace redtune::cli
