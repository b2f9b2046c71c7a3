#include "compare/limit_probes.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/error.h"
#include "tuner/gpu/launch.h"

namespace redtune::compare {

namespace {

constexpr int least_compute_major_of_pdl = 9;
constexpr const char* source = "kernels_src/limit_kernels.cuh";

std::string reader_name(std::uint32_t loads) {
    return fmt::format("redtune::probe_reader<{}, ", loads);
}

constexpr const char* empty_name = "redtune::probe_empty<";
constexpr const char* load_name = "redtune::probe_load<";
constexpr const char* handover_name = "redtune::probe_handover<";

/// Returns the expression of a kernel whose last template argument is `pdl`.
std::string expression(const std::string& name, bool pdl) {
    return fmt::format("{}{}>", name, pdl);
}

std::uint64_t aligned_up(std::uint64_t address) {
    return (address + reader_word_bytes - 1) / reader_word_bytes * reader_word_bytes;
}

/// Returns a subject that is not a reduction. `launch` enqueues one call with the launch attributes.
template <class Launch>
timing::Subject probe_subject(bool is_pdl, const Launch& launch) {
    timing::Subject subject;
    subject.is_judged = false;
    subject.reads_input = false;
    subject.enqueue = [launch, is_pdl](std::uint32_t call, const timing::CallBuffers& buffers, CUstream stream) {
        // The first call must not begin before the event that starts the measured time.
        launch(buffers, stream, gpu::LaunchAttributes{1, is_pdl && call != 0});
    };
    return subject;
}

template <class... Arguments>
void launch_kernel(CUfunction function, std::uint32_t grid, std::uint32_t block, CUstream stream,
                   const gpu::LaunchAttributes& attributes, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    gpu::launch(function, {grid, 1, 1}, {block, 1, 1}, 0, stream, pointers, attributes);
}

}  // namespace

std::vector<jit::KernelName> limit_kernel_names() {
    std::vector<std::string> names = {empty_name, load_name, handover_name};
    for (const std::uint32_t loads : reader_loads) names.push_back(reader_name(loads));
    std::vector<jit::KernelName> kernels;
    for (const std::string& name : names) {
        for (const bool pdl : {false, true}) kernels.push_back({source, expression(name, pdl)});
    }
    return kernels;
}

LimitProbes::LimitProbes(jit::Compiler& compiler, const DeviceInfo& device)
    : has_pdl_(device.compute_major >= least_compute_major_of_pdl) {
    const std::vector<jit::KernelName> names = limit_kernel_names();
    const std::vector<jit::CompiledKernel> compiled = compiler.compile(names);
    std::map<const std::string*, gpu::Module*> loaded;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!compiled[i].error.empty()) throw CompileError(names[i].expression, compiled[i].error);
        gpu::Module*& module = loaded[compiled[i].cubin.get()];
        if (module == nullptr) {
            module = modules_.emplace_back(std::make_unique<gpu::Module>(*compiled[i].cubin)).get();
        }
        kernels_[names[i].expression] = module->function(compiled[i].symbol);
    }
}

LimitProbes::Kernel LimitProbes::kernel(const std::string& name, Regime regime) const {
    const bool is_pdl = has_pdl_ && regime == Regime::back_to_back;
    return {kernels_.at(expression(name, is_pdl)), is_pdl};
}

timing::Subject LimitProbes::empty_kernel(Regime regime) const {
    const Kernel probed = kernel(empty_name, regime);
    return probe_subject(
        probed.is_pdl, [probed](const timing::CallBuffers&, CUstream stream, const gpu::LaunchAttributes& attributes) {
            launch_kernel(probed.function, 1, 1, stream, attributes);
        });
}

timing::Subject LimitProbes::single_load(Regime regime) const {
    const Kernel probed = kernel(load_name, regime);
    return probe_subject(probed.is_pdl, [probed](const timing::CallBuffers& buffers, CUstream stream,
                                                 const gpu::LaunchAttributes& attributes) {
        launch_kernel(probed.function, 1, 1, stream, attributes, buffers.input.first, buffers.output);
    });
}

timing::Subject LimitProbes::handover(Regime regime) const {
    const Kernel probed = kernel(handover_name, regime);
    timing::Subject subject = probe_subject(probed.is_pdl, [probed](const timing::CallBuffers& buffers, CUstream stream,
                                                                    const gpu::LaunchAttributes& attributes) {
        launch_kernel(probed.function, 2, 1, stream, attributes, buffers.input.first, buffers.workspace,
                      buffers.output);
    });
    subject.plan.workspace_bytes = subject.plan.zeroed_bytes = LaunchPlan::header_bytes;
    return subject;
}

timing::Subject LimitProbes::reader(Regime regime, const ReaderShape& shape, std::uint64_t bytes) const {
    const Kernel probed = kernel(reader_name(shape.loads), regime);
    timing::Subject subject =
        probe_subject(probed.is_pdl, [probed, shape, bytes](const timing::CallBuffers& buffers, CUstream stream,
                                                            const gpu::LaunchAttributes& attributes) {
            launch_kernel(probed.function, shape.grid, shape.block, stream, attributes, aligned_up(buffers.input.first),
                          reader_words(buffers.input.first, bytes), buffers.output);
        });
    subject.reads_input = true;
    return subject;
}

std::uint64_t reader_words(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t begin = aligned_up(address);
    const std::uint64_t end = (address + bytes) / reader_word_bytes * reader_word_bytes;
    return end > begin ? (end - begin) / reader_word_bytes : 0;
}

}  // namespace redtune::compare
