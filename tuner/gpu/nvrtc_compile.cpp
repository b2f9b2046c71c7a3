#include <fmt/format.h>

#include <utility>

#include "tuner/gpu/nvrtc_library.h"

namespace redtune::gpu {

namespace {

std::vector<const char*> c_strings(const std::vector<std::string>& texts) {
    std::vector<const char*> result;
    for (const std::string& text : texts) result.push_back(text.c_str());
    return result;
}

}  // namespace

/// A program from its creation to its cubin. Every function throws NvrtcError if NVRTC reports a failure.
class Nvrtc::Program {
  public:
    Program(const Library& nvrtc, std::string name, const std::string& source, std::span<const Header> headers)
        : nvrtc_(nvrtc), name_(std::move(name)) {
        std::vector<const char*> names;
        std::vector<const char*> texts;
        for (const Header& header : headers) {
            names.push_back(header.name.c_str());
            texts.push_back(header.text.c_str());
        }
        check(nvrtc_.nvrtcCreateProgram(&program_, source.c_str(), name_.c_str(), static_cast<int>(headers.size()),
                                        texts.data(), names.data()),
              "start a program");
    }
    ~Program() { nvrtc_.nvrtcDestroyProgram(&program_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void add_name_expression(const std::string& expression) {
        check(nvrtc_.nvrtcAddNameExpression(program_, expression.c_str()), "ask for a kernel");
    }

    /// Compiles the program and returns the log.
    /// @throws NvrtcError with the log if the program does not compile.
    std::string compile(const std::vector<std::string>& options) {
        const std::vector<const char*> arguments = c_strings(options);
        const nvrtcResult compiled =
            nvrtc_.nvrtcCompileProgram(program_, static_cast<int>(arguments.size()), arguments.data());
        std::string log;
        std::size_t log_size = 0;  // counts the terminator
        if (nvrtc_.nvrtcGetProgramLogSize(program_, &log_size) == NVRTC_SUCCESS && log_size > 1) {
            log.resize(log_size - 1);
            check(nvrtc_.nvrtcGetProgramLog(program_, log.data()), "read the log");
        }
        if (compiled == NVRTC_SUCCESS) return log;
        throw NvrtcError(fmt::format("{}: {}", name_, nvrtc_.nvrtcGetErrorString(compiled)), log);
    }

    std::string lowered_name(const std::string& expression) const {
        const char* lowered = nullptr;
        check(nvrtc_.nvrtcGetLoweredName(program_, expression.c_str(), &lowered), "name a compiled kernel");
        return lowered;
    }

    /// Returns the cubin of the compiled program.
    /// @param log the compiler's log, for the message if there is no cubin
    std::string cubin(const std::string& log) const {
        std::size_t size = 0;
        check(nvrtc_.nvrtcGetCUBINSize(program_, &size), "read the machine code's size");
        if (size == 0) {
            throw NvrtcError(fmt::format("{}: no machine code was made: the options must name a real architecture such "
                                         "as --gpu-architecture=sm_90, not a virtual one",
                                         name_),
                             log);
        }
        std::string cubin(size, '\0');
        check(nvrtc_.nvrtcGetCUBIN(program_, cubin.data()), "read the machine code");
        return cubin;
    }

  private:
    void check(nvrtcResult result, const char* what) const {
        if (result == NVRTC_SUCCESS) return;
        throw NvrtcError(fmt::format("{}: cannot {}: {}", name_, what, nvrtc_.nvrtcGetErrorString(result)), {});
    }

    const Library& nvrtc_;
    std::string name_;
    nvrtcProgram program_ = nullptr;
};

CompiledProgram Nvrtc::compile(const std::string& source, const std::string& program_name,
                               std::span<const Header> headers, const std::vector<std::string>& options,
                               const std::vector<std::string>& name_expressions) const {
    Program program(*library_, program_name, source, headers);
    for (const std::string& expression : name_expressions) program.add_name_expression(expression);
    CompiledProgram result;
    result.log = program.compile(options);
    for (const std::string& expression : name_expressions) {
        result.lowered_names.push_back(program.lowered_name(expression));
    }
    result.cubin = program.cubin(result.log);
    return result;
}

}  // namespace redtune::gpu
