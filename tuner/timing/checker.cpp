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

constexpr int repeats = 2;
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

/// Returns the elements of an input in which the first and the last of those that are combined differ from the others:
/// about special_n, and two rows at least if the first and the last are in two rows.
std::uint64_t special_elements(const Shape& shape) {
    const std::uint64_t least = shape.kind() == ShapeKind::columns ? 2 : 1;
    return shape.unit() * std::max<std::uint64_t>(least, special_n / shape.unit());
}

}  // namespace

Checker::Checker(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, gpu::Stream& stream)
    : kernels_(kernels), inputs_(inputs), problem_(problem), stream_(stream), batch_(kernels, inputs, problem, stream) {
    make_special_cases();
}

void Checker::make_special_cases() {
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
        special_cases_.push_back({specials[i].name, arrays, n, special_results_.back().address()});
    }
}

std::optional<std::string> Checker::check_exact(const launch::LoadedKernel& loaded_kernel, std::uint64_t offset,
                                                std::uint64_t n) {
    last_call_us_ = 0;
    if (n + offset > inputs_.exact_n()) return std::nullopt;
    std::string name = fmt::format("n = {}", format_size(n));
    if (offset != 0) name += fmt::format(", {} elements off alignment", offset);
    return run(loaded_kernel, {std::move(name), inputs_.exact(offset), n, inputs_.expected_exact(offset, n).address()});
}

std::optional<std::string> Checker::check_size(const launch::LoadedKernel& loaded_kernel, std::uint64_t n) {
    // check_exact() skips a size that exceeds the exact input. The results at such a size are checked only by
    // TimedGraph::judge_outputs(), within the error bound for timed values.
    return check_exact(loaded_kernel, 0, n);
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
    for (const std::uint64_t n : aligned) {
        if (auto wrong = check_exact(loaded_kernel, 0, n)) return wrong;
    }
    for (const auto& [elements, n] : offset) {
        if (auto wrong = check_exact(loaded_kernel, elements, n)) return wrong;
    }
    for (const Case& entry : special_cases_) {
        if (auto wrong = run(loaded_kernel, entry)) return wrong;
    }
    return check_random_sizes(loaded_kernel, configuration);
}

std::optional<std::string> Checker::check_random_sizes(const launch::LoadedKernel& loaded_kernel,
                                                       std::string_view configuration) {
    const Shape shape = shape_of(problem_);
    const std::uint64_t unit = shape.unit();
    const std::uint64_t room = inputs_.exact_n() - max_random_offset;
    if (room < unit) return std::nullopt;  // not even one row
    const std::uint64_t most = std::clamp<std::uint64_t>(most_case_elements / unit, 1, room / unit);
    const std::uint64_t share = units_at_once(loaded_kernel.rule, shape.kind());
    std::vector<BatchChecker::Call> calls;
    for (const RandomSize& size : random_sizes(configuration, share, most)) {
        calls.push_back({size.count * unit, size.offset});
    }
    return batch_.check(loaded_kernel, calls);
}

/// Copies the input of a case, for a kernel that overwrites its input, and returns the addresses of the copy. The copy
/// has the same alignment as the input.
launch::InputArrays Checker::copy_input(const Case& entry) {
    const std::uint64_t bytes = entry.n * size_of(problem_.input);
    const std::uint64_t room = round_up(bytes, special_alignment) + special_alignment;
    if (copy_.size() < room) copy_ = gpu::DeviceBuffer(room);
    const CUdeviceptr to = copy_.address() + entry.input.first % special_alignment;
    gpu::copy_on_device(to, entry.input.first, bytes, stream_.handle());
    return {to, entry.input.second};
}

std::optional<std::string> Checker::run(const launch::LoadedKernel& loaded_kernel, const Case& entry) {
    const LaunchPlan plan = make_plan(loaded_kernel.rule, extents_of(problem_, entry.n));
    const std::uint64_t results = result_count(problem_, entry.n);
    const std::uint64_t result_bytes = results * size_of(problem_.output);
    const std::uint64_t stride = round_up(result_bytes, output_guard_bytes) + output_guard_bytes;
    if (outputs_.size() < stride * repeats) outputs_ = gpu::DeviceBuffer(stride * repeats);
    outputs_.fill(poison_byte, stride * repeats, 0, stream_.handle());
    workspace_.prepare(plan, stream_.handle());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const launch::InputArrays input = loaded_kernel.destructive ? copy_input(entry) : entry.input;
        begin_.record(stream_.handle());
        launch::enqueue(loaded_kernel, plan, input, outputs_.address() + repeat * stride, workspace_.address(),
                        stream_.handle());
        end_.record(stream_.handle());
    }
    std::optional<std::string> wrong = kernels_.judge({outputs_.address(), stride / size_of(problem_.output), repeats,
                                                       entry.expected, 1, results, exact_tolerance(problem_, plan)},
                                                      stream_.handle());
    stream_.synchronize();
    last_call_us_ = gpu::elapsed_us(begin_, end_);
    if (!wrong) wrong = workspace_.check(plan);
    for (int repeat = 0; repeat < repeats && !wrong; ++repeat) {
        unsigned char guard[output_guard_bytes];
        outputs_.copy_to_host(guard, sizeof(guard), repeat * stride + result_bytes);
        if (std::any_of(std::begin(guard), std::end(guard), [](unsigned char byte) { return byte != poison_byte; })) {
            wrong = "a call wrote beyond the end of its output";
        }
    }
    if (wrong) return fmt::format("{}: {}", entry.name, *wrong);
    return std::nullopt;
}

}  // namespace redtune::timing
