#include "tuner/bench/fixed_kernels.h"

#include <fmt/format.h>

#include "redtune/error.h"
#include "tuner/gpu/launch.h"

namespace redtune::bench {

namespace {

constexpr const char* source = "kernels_src/tuner_kernels.cuh";
constexpr std::uint32_t reference_block = 256;
constexpr std::uint32_t wide_block = 512;

template <class... Arguments>
void start(CUfunction function, std::uint32_t grid_x, std::uint32_t grid_y, std::uint32_t block, CUstream stream,
           Arguments... arguments) {
    void* pointers[] = {&arguments...};
    gpu::launch(function, {grid_x, grid_y, 1}, {block, 1, 1}, 0, stream, pointers);
}

}  // namespace

std::vector<jit::KernelName> fixed_kernel_names(const Problem& problem) {
    const std::string type = jit::device_type(problem.input);
    return {{source, fmt::format("redtune::fill_input<{}, redtune::Fill::random>", type)},
            {source, fmt::format("redtune::fill_input<{}, redtune::Fill::exact>", type)},
            {source, fmt::format("redtune::reference_sums<{}>", type)},
            {source, "redtune::read_buffer"},
            {source, "redtune::probe_clock"},
            {source, fmt::format("redtune::empty<{}>", jit::device_problem(problem))}};
}

FixedKernels::FixedKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count)
    : sm_count_(sm_count), sink_(sizeof(std::uint32_t)) {
    const std::vector<jit::KernelName> names = fixed_kernel_names(problem);
    const std::vector<jit::CompiledKernel> kernels = compiler.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!kernels[i].error.empty()) throw CompileError(names[i].expression, kernels[i].error);
    }
    CUfunction* const functions[] = {&fill_random_, &fill_exact_, &reference_, &read_, &probe_clock_, &empty_};
    for (std::size_t i = 0; i < names.size(); ++i) *functions[i] = function(kernels[i]);
}

CUfunction FixedKernels::function(const jit::CompiledKernel& kernel) {
    std::unique_ptr<gpu::Module>& module = modules_[kernel.cubin.get()];
    if (module == nullptr) module = std::make_unique<gpu::Module>(*kernel.cubin);
    return module->function(kernel.symbol);
}

void FixedKernels::fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed,
                        CUstream stream) const {
    start(values == InputValues::random ? fill_random_ : fill_exact_, sm_count_ * 4, 1, wide_block, stream, to, n,
          seed);
}

void FixedKernels::reference(CUdeviceptr first, std::uint64_t stride, std::uint64_t n, std::uint32_t inputs,
                             CUdeviceptr partials, CUstream stream) const {
    start(reference_, reference_blocks(), inputs, reference_block, stream, first, stride, n, partials);
}

void FixedKernels::read(const gpu::DeviceBuffer& buffer, CUstream stream) const {
    constexpr std::uint64_t word_bytes = 16;
    const std::uint64_t count = buffer.size() / word_bytes;
    start(read_, sm_count_ * 4, 1, wide_block, stream, buffer.address(), count, sink_.address());
}

void FixedKernels::probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const {
    start(probe_clock_, 1, 1, 1, stream, nanoseconds, to);
}

}  // namespace redtune::bench
