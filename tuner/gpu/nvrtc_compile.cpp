#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include "tuner/gpu/nvrtc_library.h"

namespace redtune::gpu {

namespace {

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> result;
    for (const std::string& text : texts) result.push_back(text.c_str());
    return result;
}

}  // namespace

CompiledProgram Nvrtc::compile(const std::string& source, const std::string& program_name,
                               std::span<const Header> headers, const std::vector<std::string>& options,
                               const std::vector<std::string>& name_expressions) const {
    const Library& nvrtc = *library_;
    const auto check = [&](nvrtcResult result, const char* what) {
        if (result == NVRTC_SUCCESS) return;
        throw NvrtcError(fmt::format("{}: cannot {}: {}", program_name, what, nvrtc.nvrtcGetErrorString(result)), {});
    };

    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const Header& header : headers) {
        names.push_back(header.name.c_str());
        texts.push_back(header.text.c_str());
    }
    nvrtcProgram created = nullptr;
    check(nvrtc.nvrtcCreateProgram(&created, source.c_str(), program_name.c_str(), static_cast<int>(headers.size()),
                                   texts.data(), names.data()),
          "start a program");
    const auto destroy = [&](nvrtcProgram program) { nvrtc.nvrtcDestroyProgram(&program); };
    const std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, decltype(destroy)> program(created, destroy);

    for (const std::string& expression : name_expressions) {
        check(nvrtc.nvrtcAddNameExpression(program.get(), expression.c_str()), "ask for a kernel");
    }
    const std::vector<const char*> arguments = pointers(options);
    const nvrtcResult compiled =
        nvrtc.nvrtcCompileProgram(program.get(), static_cast<int>(arguments.size()), arguments.data());

    CompiledProgram result;
    std::size_t log_size = 0;  // counts the terminator
    if (nvrtc.nvrtcGetProgramLogSize(program.get(), &log_size) == NVRTC_SUCCESS && log_size > 1) {
        result.log.resize(log_size - 1);
        check(nvrtc.nvrtcGetProgramLog(program.get(), result.log.data()), "read the log");
    }
    if (compiled != NVRTC_SUCCESS) {
        throw NvrtcError(fmt::format("{}: {}", program_name, nvrtc.nvrtcGetErrorString(compiled)), result.log);
    }
    for (const std::string& expression : name_expressions) {
        const char* lowered = nullptr;
        check(nvrtc.nvrtcGetLoweredName(program.get(), expression.c_str(), &lowered), "name a compiled kernel");
        result.lowered_names.emplace_back(lowered);
    }
    std::size_t cubin_size = 0;
    check(nvrtc.nvrtcGetCUBINSize(program.get(), &cubin_size), "read the machine code's size");
    if (cubin_size == 0) {
        throw NvrtcError(fmt::format("{}: no machine code was made: the options must name a real architecture such as "
                                     "--gpu-architecture=sm_90, not a virtual one",
                                     program_name),
                         result.log);
    }
    result.cubin.resize(cubin_size);
    check(nvrtc.nvrtcGetCUBIN(program.get(), result.cubin.data()), "read the machine code");
    return result;
}

}  // namespace redtune::gpu
