#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.h"

namespace redtune::gpu {

/// Thrown when NVRTC rejects a program or fails.
class NvrtcError : public Error {
  public:
    NvrtcError(const std::string& what, std::string log)
        : Error(log.empty() ? what : what + ":\n" + log), log_(std::move(log)) {}

    /// Returns the compiler's whole log; empty if NVRTC failed for a reason other than the program.
    const std::string& log() const noexcept { return log_; }

  private:
    std::string log_;
};

/// A file that programs can include by its `name`.
struct Header {
    std::string name;
    std::string text;
};

struct CompiledProgram {
    std::string cubin;
    std::vector<std::string> lowered_names;  ///< in the order of the name expressions
    std::string log;                         ///< warnings, and the output of options such as --ptxas-options=-v
};

/// NVIDIA's run-time compiler, opened on first use and kept open until the program ends. It is the first library of
/// nvrtc_candidates() whose machine code this machine's driver can load. If there is no driver or no such library, it
/// is the first library that can be opened. Every function is thread-safe, and several threads can compile at the same
/// time.
class Nvrtc {
  public:
    /// Sets a function that returns the `preferred` library of nvrtc_candidates(). It is called when NVRTC is searched
    /// for, so that a program that needs no NVRTC does not pay for finding it. Call it before any other function of the
    /// class; a later call has no effect.
    static void prefer(std::function<std::string()> find);

    /// Returns the compiler; nullptr if there is none.
    static const Nvrtc* find();
    /// Returns the compiler. @throws DeviceError with the places that were searched and a remedy.
    static const Nvrtc& get();
    /// Returns why find() returns nullptr, as a phrase for a message; empty if it returns the compiler.
    static const std::string& why_missing();
    /// Returns the message of get()'s exception: the places that were searched, and a remedy.
    static std::string missing_message();

    ~Nvrtc();
    Nvrtc(const Nvrtc&) = delete;
    Nvrtc& operator=(const Nvrtc&) = delete;

    /// Returns the version, "13.0".
    std::string version() const;
    int major() const noexcept;
    /// Returns a text that identifies the library independently of its path: the version and the library's build ID, or
    /// a hash of its file if it has no build ID.
    const std::string& build_identity() const noexcept;
    /// Returns the file that was opened.
    std::filesystem::path path() const;
    /// Returns the architectures that it compiles for, in ascending order: {"sm_75", ..., "sm_121"}. Empty if NVRTC
    /// does not report them.
    std::vector<std::string> supported_architectures() const;

    /// Compiles a program and instantiates its `name_expressions`. `options` must name a real architecture (sm_NN).
    /// @throws NvrtcError with the log if the program does not compile.
    CompiledProgram compile(const std::string& source, const std::string& program_name, std::span<const Header> headers,
                            const std::vector<std::string>& options,
                            const std::vector<std::string>& name_expressions) const;

  private:
    struct Library;
    static std::function<std::string()>& find_preferred();
    struct Search;
    class Program;
    explicit Nvrtc(std::unique_ptr<const Library> library);
    static const Search& search();

    std::unique_ptr<const Library> library_;
};

/// Returns whether a driver can load the machine code of an NVRTC: drivers load the code of their own major version of
/// CUDA and of earlier ones.
/// @param build_identity text of Nvrtc::build_identity()
/// @param driver_cuda the driver's version of CUDA as cuda.h encodes it, 13000 for 13.0; 0: there is no driver, and
/// every code counts as loadable
bool is_loadable(std::string_view build_identity, int driver_cuda);

}  // namespace redtune::gpu
