// Runs every family in the emulator. The results must match a reference that shares no code with the device, and the
// emulator must report no defect.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "emulator.h"
#include "tests/emulator/families/kernel_table.h"
#include "tests/emulator/families/selection.h"
#include "tests/support/host_reference.h"
#include "tuner/core/element.h"
#include "tuner/core/operator.h"
#include "tuner/launch/arguments.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emulated {
namespace {

Extent extent() {
    const char* text = std::getenv("REDTUNE_EMULATED_EXTENT");
    return parse_extent(text != nullptr ? text : REDTUNE_EMULATED_EXTENT);
}

const std::vector<Family>& families() {
    static const std::vector<Family> all = emulated_families();
    return all;
}

std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// The kinds of elements of an input. plain: small whole numbers, whose reduction is exact in any order. extreme:
/// integers over their whole range, which wrap; or floats with a NaN or with one or more infinities. denormal: denormal
/// floats.
enum class Content { plain, extreme, denormal };

/// Returns whether the problem's result is independent of the order of combination for inputs of this kind.
bool is_order_independent(const Problem& problem, Content content) {
    if (content == Content::plain) return true;
    if (!is_float(problem.input)) return content == Content::extreme && !is_float(problem.accumulator);
    // Squares, products and quotients of denormals are rounded.
    const Rounding rounding = find_operator(problem.op)->rounding;
    return content == Content::extreme || rounding == Rounding::none || problem.op == "sum" || problem.op == "l1_norm";
}

std::uint64_t element(const Problem& problem, Content content, std::uint64_t n, std::uint64_t index) {
    const std::uint64_t bits = scramble(index);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size_of(problem.input));
    if (content == Content::extreme && !is_float(problem.input)) return bits & mask;
    if (content == Content::extreme && n % 3 == 1 && index % 257 == 5) return element_bits(problem.input, HUGE_VAL);
    if (content == Content::extreme && index == scramble(n) % (n + 1)) {
        const double values[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
        return element_bits(problem.input, values[n % 3]);
    }
    // In every format, values whose exponent bits are zero are denormal or zero; the highest bit is the sign.
    if (content == Content::denormal) return (bits % 8) | (bits >> 63 << (8 * size_of(problem.input) - 1));
    const Rounding rounding = find_operator(problem.op)->rounding;
    if (rounding == Rounding::product) {
        if (is_float(problem.input)) return element_bits(problem.input, bits % 2 == 0 ? 1 : -1);
        return (bits | 1) & mask;
    }
    if (problem.op == "all") return element_bits(problem.input, bits % 701 == 0 ? 0 : 1);
    if (problem.op == "any") return element_bits(problem.input, bits % 701 == 0 ? 1 : 0);
    return element_bits(problem.input, static_cast<double>(bits % 17) - 8);
}

/// A reduction of one input, with its own buffers. run() may be called several times; the calls share the workspace.
class Call {
  public:
    Call(const Case& entry, Content content, std::uint64_t n, std::uint64_t offset)
        : entry_(entry),
          n_(n),
          plan_(make_plan(entry.candidate.rule, n, entry.problem.row_length)),
          bytes_(n * size_of(entry.problem.input)),
          results_(result_count(entry.problem, n)) {
        const auto access = entry.candidate.destructive ? emulator::Access::read_write : emulator::Access::read_only;
        const std::uint64_t off = offset * size_of(entry.problem.input);
        input_ = memory_.allocate<unsigned char>(bytes_, access, off, "the input");
        if (entry.problem.arrays == 2) {
            second_ = memory_.allocate<unsigned char>(bytes_, emulator::Access::read_only, 0, "the second input");
        }
        pristine_.resize(bytes_);
        for (std::uint64_t i = 0; i < n; ++i) {
            const std::uint64_t size = size_of(entry.problem.input);
            const std::uint64_t value = element(entry.problem, content, n, i);
            std::memcpy(pristine_.data() + i * size, &value, size);
            if (second_ == nullptr) continue;
            const std::uint64_t other = element(entry.problem, content, n, i + n + 1);
            std::memcpy(second_ + i * size, &other, size);
        }
        output_bytes_ = results_ * size_of(entry.problem.output);
        output_ = memory_.allocate<unsigned char>(output_bytes_, emulator::Access::uninitialised, 0, "the output");
        workspace_ =
            memory_.allocate<unsigned char>(plan_.workspace_bytes, emulator::Access::uninitialised, 0, "the workspace");
        memory_.fill(workspace_, plan_.zeroed_bytes, 0);
        expected_ = test_support::host_results(entry.problem, pristine_.data(), second_, n);
    }

    /// Runs all launches and returns an empty string, or a description of the failure.
    std::string run(std::uint64_t seed) {
        std::memcpy(input_, pristine_.data(), bytes_);
        memory_.mark_uninitialised(output_, output_bytes_);
        memory_.mark_uninitialised(workspace_ + plan_.zeroed_bytes, plan_.workspace_bytes - plan_.zeroed_bytes);
        for (const Launch& step : plan_.launches()) {
            if (std::string wrong = run(step, seed); !wrong.empty()) return wrong;
        }
        if (!memory_.initialised(output_, output_bytes_)) return "a result was not written";
        for (std::uint64_t i = 0; i < results_; ++i) {
            std::uint64_t got = 0;
            std::memcpy(&got, output_ + i * size_of(entry_.problem.output), size_of(entry_.problem.output));
            const std::string wrong = test_support::judge(entry_.problem, expected_[i], got);
            if (!wrong.empty()) return "result " + std::to_string(i) + ": " + wrong;
        }
        for (std::uint64_t i = 0; i < plan_.zeroed_bytes; ++i) {
            if (workspace_[i] != 0) return "the workspace was not left zeroed for the next call";
        }
        return "";
    }

  private:
    std::string run(const Launch& step, std::uint64_t seed) {
        const launch::KernelRequest request(entry_.candidate.configuration, entry_.candidate.rule);
        const std::string name = launch::kernel_name(*entry_.family, entry_.problem, request, step.role).expression;
        const auto kernel = kernel_table().find(name);
        if (kernel == kernel_table().end()) return "no such kernel in this program: " + name;
        const launch::Arguments arguments = launch::arguments_of(plan_, step, {address(input_), address(second_)},
                                                                 address(output_), address(workspace_));
        const Value* finish = entry_.candidate.configuration.find("finish");
        emulator::Launch shape;
        shape.grid = step.grid;
        shape.block = step.block;
        shape.shared_bytes = step.shared_bytes;
        shape.cluster = step.cluster;
        shape.all_resident =
            finish != nullptr && (to_string(*finish).ends_with("publish") || to_string(*finish) == "packed");
        const auto report = emulator::run([&] { kernel->second(&arguments); }, shape, memory_, {.seed = seed});
        std::string text;
        for (const std::string& defect : report.defects) text += defect + "\n";
        return text;
    }

    static std::uint64_t address(const unsigned char* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

    const Case& entry_;
    std::uint64_t n_;
    LaunchPlan plan_;
    std::uint64_t bytes_;
    std::uint64_t results_;
    std::uint64_t output_bytes_ = 0;
    emulator::Memory memory_;
    unsigned char* input_ = nullptr;
    unsigned char* second_ = nullptr;
    unsigned char* output_ = nullptr;
    unsigned char* workspace_ = nullptr;
    std::vector<unsigned char> pristine_;
    std::vector<test_support::HostResult> expected_;
};

class EmulatedFamily : public ::testing::TestWithParam<const Family*> {};

TEST_P(EmulatedFamily, IsRightAndSynchronised) {
    const std::vector<Case> cases = select_cases(*GetParam(), extent());
    const int repeats = extent() == Extent::proof ? 6 : 2;
    ASSERT_FALSE(cases.empty());
    std::uint64_t seed = 1;
    for (const Case& entry : cases) {
        std::uint64_t offset = 0;
        for (const Content content : {Content::plain, Content::extreme, Content::denormal}) {
            if (!is_order_independent(entry.problem, content)) continue;
            for (const std::uint64_t n : sizes_of(entry)) {
                // One in three inputs is aligned. The repeated calls share a workspace, and each has a different seed.
                Call call(entry, content, n, offset++ % 3);
                for (int repeat = 0; repeat < repeats; ++repeat) {
                    ASSERT_EQ(call.run(seed++), "") << name_of(entry) << ", n = " << n << ", content "
                                                    << static_cast<int>(content) << ", call " << repeat + 1;
                }
            }
        }
    }
    std::printf("%zu kernels and problems\n", cases.size());
}

std::vector<const Family*> all_families() {
    std::vector<const Family*> pointers;
    for (const Family& family : families()) pointers.push_back(&family);
    return pointers;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EmulatedFamily, ::testing::ValuesIn(all_families()),
                         [](const auto& test) { return test.param->name; });

}  // namespace
}  // namespace redtune::emulated
