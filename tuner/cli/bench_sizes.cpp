#include "tuner/cli/bench_sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>

#include "redtune/error.h"
#include "tuner/core/log_uniform_sizes.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

constexpr std::size_t most_random_sizes = 10'000;

struct RandomSizes {
    std::size_t count = 0;
    std::uint64_t seed = 1;
};

/// Reads a number into `number`. Returns whether the whole text is a number that fits.
template <class T>
bool read_number(std::string_view text, T& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

RandomSizes parse_random(const std::string& text) {
    RandomSizes random;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view all = text;
    if (read_number(all.substr(0, colon), random.count) && random.count >= 1 && random.count <= most_random_sizes &&
        (colon == text.size() || read_number(all.substr(colon + 1), random.seed))) {
        return random;
    }
    throw InputError(
        fmt::format("--random-sizes '{}' is not COUNT or COUNT:SEED; give a count from 1 to {}, and a seed "
                    "that is a whole number: 100, 100:7",
                    text, most_random_sizes));
}

/// The sizes that the options list, and the unit of which each size must be a multiple.
struct Listed {
    std::vector<std::uint64_t> sizes;  ///< ascending
    std::uint64_t unit = 1;            ///< the size of one row, or of one element of a whole array
    std::string_view option;
};

Listed read_list(const BenchSizeOptions& options, const Problem& problem) {
    const std::uint64_t row = shape_of(problem).unit();
    if (options.elements.empty()) return {parse_sizes(options.bytes), row * size_of(problem.input), "--bytes"};
    return {parse_sizes(options.elements), row, "--size"};
}

[[noreturn]] void refuse(const Listed& listed, std::uint64_t size, const Problem& problem) {
    const Shape shape = shape_of(problem);
    const std::string elements = fmt::format("elements of {}", to_string(problem.input));
    const std::string units =
        shape.kind() == ShapeKind::whole ? elements : fmt::format("rows of {} {}", shape.unit(), elements);
    throw InputError(fmt::format("{} {} is not one or more whole {}; give a multiple of {}", listed.option,
                                 format_size(size), units, listed.unit));
}

}  // namespace

void add_bench_size_options(CLI::App& app, BenchSizeOptions& options) {
    CLI::Option* bytes =
        app.add_option("--bytes", options.bytes, "Bytes of input: 4Ki, 1Ki..4Gi (powers of two), lists")
            ->capture_default_str();
    app.add_option(
           "--size", options.elements,
           "Elements of input, in place of --bytes: 4096, 16Mi, 1e6, 1Ki..1Gi (powers of two), 1Ki..1Gi:4 (four "
           "per octave), lists")
        ->excludes(bytes);
    app.add_option("--random-sizes", options.random,
                   "COUNT[:SEED] random sizes between the smallest and the largest of --size or --bytes, drawn "
                   "log-uniformly; the same seed (default 1) gives the same sizes");
}

std::vector<std::uint64_t> bench_sizes(const BenchSizeOptions& options, const Problem& problem) {
    const Listed listed = read_list(options, problem);
    const std::uint64_t row = shape_of(problem).unit();
    std::vector<std::uint64_t> sizes;
    if (!options.random.empty()) {
        const RandomSizes random = parse_random(options.random);
        const std::uint64_t first = listed.sizes.front() / listed.unit + (listed.sizes.front() % listed.unit != 0);
        sizes = log_uniform_sizes(std::max<std::uint64_t>(1, first), listed.sizes.back() / listed.unit, random.count,
                                  random.seed);
    } else {
        for (const std::uint64_t size : listed.sizes) {
            if (size == 0 || size % listed.unit != 0) refuse(listed, size, problem);
            sizes.push_back(size / listed.unit);
        }
    }
    for (std::uint64_t& size : sizes) size *= row;
    return sizes;
}

}  // namespace redtune::cli
