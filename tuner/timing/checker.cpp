#include "tuner/timing/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "tuner/core/element.h"
#include "tuner/core/operator.h"
#include "tuner/core/size_list.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/random_sizes.h"
#include "tuner/timing/round_up.h"

namespace redtune::timing {

namespace {

constexpr std::uint64_t prime = 104729;
constexpr std::uint64_t prime_rows = 1009;
// Maximum size of the cases whose size depends on the tile or the row.
constexpr std::uint64_t most_case_elements = std::uint64_t{1} << 20;
constexpr std::uint64_t special_n = 5003;
constexpr std::uint64_t special_alignment = 256;

/// The values of an input, or of each of its rows or columns: all elements are equal except for the first and the last.
struct Special {
    const char* name;
    double between;
    double first;
    double last;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

const Special for_all_types[] = {{"a one among zeros, at the end", 0, 0, 1},
                                 {"a one among zeros, in front", 0, 1, 0},
                                 {"a zero among ones, at the end", 1, 1, 0},
                                 {"a zero among ones, in front", 1, 0, 1}};
const Special for_floats[] = {{"a NaN at the end", 1, 1, not_a_number},
                              {"a NaN in front", 1, not_a_number, 1},
                              {"an infinity in front", 1, infinity, 1},
                              {"infinities of both signs", 1, infinity, -infinity},
                              {"zeros of both signs", 0, -0.0, 0}};

/// Returns the elements of an array, or its rows, that a launch reduces in one step.
std::uint64_t units_at_once(const LaunchRule& rule, ShapeKind kind) {
    switch (kind) {
        case ShapeKind::whole:
            return rule.tile;
        case ShapeKind::rows:
            return rule.rows_per_block;
        case ShapeKind::columns:
            return std::max<std::uint64_t>(1, rule.tile / rule.columns_per_block) * rule.parts;
    }
    return rule.tile;
}

/// Returns two calls in a row on one workspace: the second one fails if the first left the workspace in a wrong state.
BatchChecker::Group twice(const BatchChecker::Call& call) {
    return {call, call};
}

/// Returns the elements of an input in which the first and the last of those that are combined differ from the others:
/// about special_n, and two rows at least if the first and the last are in two rows.
std::uint64_t special_elements(const Shape& shape) {
    const std::uint64_t least = shape.kind() == ShapeKind::columns ? 2 : 1;
    return shape.unit() * std::max<std::uint64_t>(least, special_n / shape.unit());
}

}  // namespace

Checker::Checker(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, gpu::Stream& stream)
    : kernels_(kernels), inputs_(inputs), problem_(problem), stream_(stream), batch_(kernels, problem, stream) {
    make_special_calls();
}

void Checker::make_special_calls() {
    std::vector<Special> specials(std::begin(for_all_types), std::end(for_all_types));
    if (is_float(problem_.input)) specials.insert(specials.end(), std::begin(for_floats), std::end(for_floats));
    const std::uint64_t element_bytes = size_of(problem_.input);
    const std::uint64_t n = special_elements(shape_of(problem_));
    const Extents extents = extents_of(problem_, n);
    const std::uint64_t stride = round_up(n * element_bytes, special_alignment);
    std::vector<unsigned char> bytes(specials.size() * stride);
    for (std::size_t i = 0; i < specials.size(); ++i) {
        for (std::uint64_t at = 0; at < n; ++at) {
            const std::uint64_t place = at / extents.inner % extents.reduced;
            const bool is_first = place == 0;
            const bool is_last = place == extents.reduced - 1;
            const double value = is_first ? specials[i].first : is_last ? specials[i].last : specials[i].between;
            const std::uint64_t bits = element_bits(problem_.input, value);
            std::memcpy(bytes.data() + i * stride + at * element_bytes, &bits, element_bytes);
        }
    }
    special_ = gpu::DeviceBuffer(bytes.size());
    special_.copy_from_host(bytes.data(), bytes.size());
    for (std::size_t i = 0; i < specials.size(); ++i) {
        const CUdeviceptr address = special_.address() + i * stride;
        const launch::InputArrays arrays{address, problem_.arrays == 1 ? 0 : address};
        special_results_.push_back(kernels_.reference({arrays, 0, 1, n}, stream_.handle()));
        special_calls_.push_back({specials[i].name, n, arrays, special_results_.back().address()});
    }
}

/// Returns the call that reduces n elements of the exact input, from element `offset` on.
BatchChecker::Call Checker::exact_call(std::uint64_t n, std::uint64_t offset) const {
    std::string name = fmt::format("n = {}", format_size(n));
    if (offset != 0) name += fmt::format(", {} elements off alignment", offset);
    return {std::move(name), n, inputs_.exact(offset)};
}

std::optional<std::string> Checker::check_size(const launch::LoadedKernel& loaded_kernel, std::uint64_t n) {
    last_call_us_ = 0;
    // The results at such a size are checked only by TimedGraph::judge_outputs(), within the error bound for timed
    // values.
    if (n > inputs_.exact_n()) return std::nullopt;
    BatchChecker::Call call = exact_call(n, 0);
    call.expected = inputs_.expected_exact(0, n).address();
    const BatchChecker::Group calls = twice(call);
    auto wrong = batch_.check(loaded_kernel, {&calls, 1});
    last_call_us_ = batch_.last_call_us();
    return wrong;
}

std::optional<std::string> Checker::check_hard_sizes(const launch::LoadedKernel& loaded_kernel,
                                                     std::string_view configuration) {
    using Sizes = std::vector<std::uint64_t>;
    const std::uint64_t tile = loaded_kernel.rule.tile;
    const Shape shape = shape_of(problem_);
    Sizes aligned{0, 1, tile - 1, tile, tile + 1, prime};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> offset{{1, prime}, {3, 2 * tile + 1}, {2, 1}};
    if (shape.kind() != ShapeKind::whole) {
        const std::uint64_t row = shape.unit();
        const std::uint64_t at_once = units_at_once(loaded_kernel.rule, shape.kind());
        aligned.clear();
        for (const std::uint64_t rows : Sizes{0, 1, 2, at_once - 1, at_once, at_once + 1, prime_rows}) {
            if (rows * row <= most_case_elements || rows <= 1) aligned.push_back(rows * row);
        }
        offset = {{1, row * std::clamp<std::uint64_t>(most_case_elements / row, 1, prime_rows)}};
    }
    std::vector<BatchChecker::Group> groups;
    const auto add = [&](std::uint64_t elements, std::uint64_t n) {
        if (n + elements <= inputs_.exact_n()) groups.push_back(twice(exact_call(n, elements)));
    };
    for (const std::uint64_t n : aligned) add(0, n);
    for (const auto& [elements, n] : offset) add(elements, n);
    for (const BatchChecker::Call& call : special_calls_) groups.push_back(twice(call));
    groups.push_back(random_calls(loaded_kernel.rule, configuration));
    return batch_.check(loaded_kernel, groups);
}

/// Returns the calls at the random sizes of a configuration.
BatchChecker::Group Checker::random_calls(const LaunchRule& rule, std::string_view configuration) const {
    BatchChecker::Group calls;
    const Shape shape = shape_of(problem_);
    const std::uint64_t unit = shape.unit();
    const std::uint64_t room = inputs_.exact_n() - max_random_offset;
    if (room < unit) return calls;  // not even one row
    const std::uint64_t most = std::clamp<std::uint64_t>(most_case_elements / unit, 1, room / unit);
    const std::uint64_t share = units_at_once(rule, shape.kind());
    for (const RandomSize& size : random_sizes(configuration, share, most)) {
        calls.push_back(exact_call(size.count * unit, size.offset));
    }
    return calls;
}

}  // namespace redtune::timing
