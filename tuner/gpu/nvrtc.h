#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "redtune/error.h"

namespace redtune::gpu {

/// Thrown for a program that NVRTC does not compile.
class NvrtcError : public Error {
  public:
    NvrtcError(const std::string& what, std::string log)
        : Error(log.empty() ? what : what + ":\n" + log), log_(std::move(log)) {}

    /// Returns the compiler's whole log; empty if NVRTC failed for a reason other than the program.
    const std::string& log() const noexcept { return log_; }

  private:
    std::string log_;
};

/// A file that programs may include. `name` is the one in their #include.
struct Header {
    std::string name;
    std::string text;
};

struct CompiledProgram {
    std::string cubin;
    std::vector<std::string> lowered_names;  ///< in the order of the name expressions
    std::string log;                         ///< warnings, and the output of options such as --ptxas-options=-v
};

/// NVIDIA's run-time compiler, opened on first use and kept open until the program ends. Of the libraries that
/// nvrtc_search.h finds, it is the first whose code the driver of this machine can load; without a driver, the first.
/// Every function is thread-safe, and several threads can compile at the same time.
class Nvrtc {
  public:
    /// Returns the compiler; nullptr if there is none.
    static const Nvrtc* find();
    /// Returns the compiler. @throws DeviceError with the places that were searched and a remedy.
    static const Nvrtc& get();
    /// Returns why find() is nullptr, as a phrase for a message; empty if it is not.
    static const std::string& why_missing();

    ~Nvrtc();
    Nvrtc(const Nvrtc&) = delete;
    Nvrtc& operator=(const Nvrtc&) = delete;

    /// Returns the version, "13.0".
    std::string version() const;
    int major() const noexcept;
    /// Returns a text that is equal for equal libraries, whatever their path: the version and the library's build-id,
    /// or a hash of its file if it has no build-id.
    const std::string& build_identity() const noexcept;
    /// Returns the file that was opened.
    std::filesystem::path path() const;
    /// Returns the architectures in ascending order: {"sm_75", ..., "sm_121"}.
    std::vector<std::string> supported_architectures() const;

    /// Compiles a program and instantiates its `name_expressions`. `options` must name a real architecture (sm_NN).
    /// @throws NvrtcError with the log if the program does not compile.
    CompiledProgram compile(const std::string& source, const std::string& program_name, std::span<const Header> headers,
                            const std::vector<std::string>& options,
                            const std::vector<std::string>& name_expressions) const;

  private:
    struct Library;
    struct Search;
    class Program;
    explicit Nvrtc(std::unique_ptr<const Library> library);
    static const Search& search();

    std::unique_ptr<const Library> library_;
};

}  // namespace redtune::gpu
