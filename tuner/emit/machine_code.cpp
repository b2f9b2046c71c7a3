#include "tuner/emit/machine_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "redtune/error.h"
#include "tuner/core/parallel.h"
#include "tuner/emit/cuda_file.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::emit {

namespace {

/// Some kernels of an emission, which one NVRTC program compiles.
struct ProgramOfKernels {
    std::size_t index = 0;
    std::vector<std::string> names;
    gpu::CompiledProgram compiled;
    std::string error;
};

void require_architecture(const gpu::Nvrtc& nvrtc, const std::string& architecture) {
    const std::vector<std::string> known = nvrtc.supported_architectures();
    if (std::find(known.begin(), known.end(), architecture) != known.end()) return;
    throw DeviceError(
        fmt::format("NVRTC {} makes no code for {}; it knows {}. Give --format cuda, or install an NVRTC "
                    "that does: pip install nvidia-cuda-nvrtc",
                    nvrtc.version(), architecture, fmt::join(known, ", ")));
}

/// Divides the kernels into programs of a fixed number of kernels, because the machine code depends on the division.
std::vector<ProgramOfKernels> divide_kernels(const std::vector<std::string>& names) {
    constexpr std::size_t kernels_per_program = 8;
    std::vector<ProgramOfKernels> programs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i % kernels_per_program == 0) programs.push_back({programs.size(), {}, {}, {}});
        programs.back().names.push_back(names[i]);
    }
    return programs;
}

}  // namespace

MachineCode compile_kernels(const Emission& emission) {
    const gpu::Nvrtc& nvrtc = gpu::Nvrtc::get();
    const std::string source = cuda_file(emission).text();
    const std::string architecture = emission.device.architecture();
    require_architecture(nvrtc, architecture);
    const std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "-default-device"};
    const auto compile = [&](ProgramOfKernels& program) {
        try {
            program.compiled = nvrtc.compile(source, emission.request.name + ".cu", {}, options, program.names);
        } catch (const gpu::NvrtcError& error) {
            program.error = error.what();
        }
        return std::move(program);
    };
    std::vector<ProgramOfKernels> programs = divide_kernels(name_expressions(emission));
    std::vector<ProgramOfKernels> compiled(programs.size());
    for_each_in_parallel(std::move(programs), one_thread_per_core(), compile,
                         [&](const ProgramOfKernels& program) { compiled[program.index] = program; });
    MachineCode code;
    code.compiler = "NVRTC " + nvrtc.version();
    for (const ProgramOfKernels& program : compiled) {
        if (!program.error.empty()) throw CompileError(program.names.front() + " and others", program.error);
        for (const std::string& symbol : program.compiled.lowered_names) {
            code.cubin_of_kernel.push_back(code.cubins.size());
            code.symbol_of_kernel.push_back(symbol);
        }
        code.cubins.push_back(program.compiled.cubin);
    }
    return code;
}

}  // namespace redtune::emit
