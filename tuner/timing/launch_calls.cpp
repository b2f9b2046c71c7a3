#include "tuner/timing/launch_calls.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tuner/core/launch_rule.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

namespace {

/// Host memory that is copied to the device again and again until the input is full.
constexpr std::size_t pattern_bytes = 4 << 20;

/// The bits of an element that are pseudo-random, and those that are set, which give a float its exponent.
struct RandomBits {
    std::uint64_t random = ~std::uint64_t{0};
    std::uint64_t set = 0;
};

RandomBits random_bits(Type type) {
    switch (type) {
        case Type::f16:
            return {0x83ff, 0x3800};
        case Type::bf16:
            return {0x807f, 0x3f00};
        case Type::f32:
            return {0x807f'ffff, 0x3f00'0000};
        case Type::f64:
            return {0x800f'ffff'ffff'ffff, 0x3fe0'0000'0000'0000};
        default:
            return {};
    }
}

std::vector<unsigned char> make_pattern(Type type) {
    const std::size_t element = size_of(type);
    const RandomBits bits = random_bits(type);
    std::vector<unsigned char> pattern(pattern_bytes);
    std::uint64_t state = 0x9e37'79b9'7f4a'7c15;  // any number but 0: the seed of xorshift64
    for (std::size_t at = 0; at < pattern.size(); at += element) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const std::uint64_t value = (state & bits.random) | bits.set;
        std::memcpy(pattern.data() + at, &value,
                    element);  // the low bytes: the host is little-endian, as the device is
    }
    return pattern;
}

gpu::DeviceBuffer make_input(Type type, std::uint64_t n) {
    const std::vector<unsigned char> pattern = make_pattern(type);
    const std::size_t bytes = n * size_of(type);
    gpu::DeviceBuffer input(bytes);
    for (std::size_t at = 0; at < bytes; at += pattern.size()) {
        input.copy_from_host(pattern.data(), std::min(pattern.size(), bytes - at), at);
    }
    return input;
}

}  // namespace

void launch_calls(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n, std::uint32_t calls) {
    const gpu::Stream stream;
    const gpu::DeviceBuffer first = make_input(problem.input, n);
    const gpu::DeviceBuffer second = make_input(problem.input, problem.arrays > 1 ? n : 0);
    const Extents extents = extents_of(problem, n);
    const gpu::DeviceBuffer output(extents.results() * size_of(problem.output));
    const LaunchPlan plan = launch::without_leading_pdl(make_plan(kernel.rule, extents));
    Workspace workspace;
    workspace.prepare(plan, stream.handle());
    stream.synchronize();
    for (std::uint32_t i = 0; i < calls; ++i) {
        launch::enqueue(kernel, plan, {first.address(), second.address()}, output.address(), workspace.address(),
                        stream.handle());
    }
    stream.synchronize();
}

}  // namespace redtune::timing
