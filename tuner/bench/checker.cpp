#include "tuner/bench/checker.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tuner/bench/verdict.h"
#include "tuner/core/size_list.h"

namespace redtune::bench {

namespace {

constexpr int repeats = 2;
constexpr std::size_t most_cases = 32;
// One result and the poison around it that must stay.
constexpr std::uint64_t output_stride = 64;
constexpr std::uint64_t prime = 104729;
constexpr std::uint64_t special_n = 5003;

}  // namespace

Checker::Checker(Inputs& inputs, const Problem& problem, gpu::Stream& stream)
    : inputs_(inputs), problem_(problem), stream_(stream), outputs_(most_cases * repeats * output_stride) {
    if (problem.input != Type::f32) return;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    struct Special {
        const char* name;
        float first, last;
        double sum;
    };
    const Special specials[] = {{"a NaN at the end", 1, nan, std::nan("")},
                                {"an infinity in front", infinity, 1, infinity},
                                {"infinities of both signs", infinity, -infinity, std::nan("")}};
    special_ = gpu::DeviceBuffer(std::size(specials) * special_n * sizeof(float));
    std::vector<float> values;
    for (const Special& special : specials) {
        special_cases_.push_back(
            {special.name, special_.address() + values.size() * sizeof(float), special_n, {special.sum, 0}});
        values.push_back(special.first);
        for (std::uint64_t i = 2; i < special_n; ++i) values.push_back(static_cast<float>(i % 7) - 3);
        values.push_back(special.last);
    }
    special_.copy_from_host(values.data(), values.size() * sizeof(float));
}

Checker::Case Checker::exact_case(std::uint64_t offset, std::uint64_t n) {
    std::string name = fmt::format("n = {}", format_size(n));
    if (offset != 0) name += fmt::format(", {} elements off alignment", offset);
    return {std::move(name), inputs_.exact(offset), n, inputs_.expected_exact(offset, n)};
}

std::optional<std::string> Checker::check_size(const Runnable& runnable, std::uint64_t n) {
    // Without room for exact values of this size, the timed outputs alone are judged, by their error bound.
    if (n > inputs_.exact_n()) return std::nullopt;
    return run(runnable, {exact_case(0, n)});
}

std::optional<std::string> Checker::check_hard_sizes(const Runnable& runnable) {
    const std::uint64_t tile = runnable.rule.tile;
    std::vector<Case> cases;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, prime}) {
        cases.push_back(exact_case(0, n));
    }
    cases.push_back(exact_case(1, prime));
    cases.push_back(exact_case(3, 2 * tile + 1));
    cases.push_back(exact_case(2, 1));
    cases.insert(cases.end(), special_cases_.begin(), special_cases_.end());
    return run(runnable, cases);
}

std::optional<std::string> Checker::run(const Runnable& runnable, const std::vector<Case>& cases) {
    outputs_.fill(poison_byte, stream_.handle());
    CUdeviceptr output = outputs_.address();
    for (const Case& entry : cases) {
        const LaunchPlan plan = make_plan(runnable.rule, entry.n);
        workspace_.prepare(plan, stream_.handle());
        for (int repeat = 0; repeat < repeats; ++repeat, output += output_stride) {
            enqueue(runnable, plan, entry.input, output, workspace_.address(), stream_.handle());
        }
        stream_.synchronize();
        if (const std::optional<std::string> misuse = workspace_.inspect(plan)) {
            return fmt::format("{}: {}", entry.name, *misuse);
        }
    }

    std::vector<std::uint32_t> words(outputs_.size() / sizeof(std::uint32_t));
    outputs_.copy_to_host(words.data(), outputs_.size());
    constexpr std::uint32_t poison = 0x01010101U * poison_byte;
    std::size_t word = 0;
    for (const Case& entry : cases) {
        for (int repeat = 0; repeat < repeats; ++repeat, word += output_stride / sizeof(std::uint32_t)) {
            std::optional<std::string> wrong = judge(problem_.output, words[word], entry.expected, 0);
            if (!wrong && words[word + 1] != poison) wrong = "a call wrote behind its output";
            if (wrong) return fmt::format("{}, call {} of {}: {}", entry.name, repeat + 1, repeats, *wrong);
        }
    }
    return std::nullopt;
}

}  // namespace redtune::bench
