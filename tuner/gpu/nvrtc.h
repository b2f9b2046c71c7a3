#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "redtune/error.h"

namespace redtune::gpu {

/// NVRTC refused a program.
class NvrtcError : public Error {
  public:
    NvrtcError(const std::string& what, std::string log)
        : Error(log.empty() ? what : what + ":\n" + log), log_(std::move(log)) {}

    /// The compiler's log, unshortened; empty where it failed for a reason other than the program.
    const std::string& log() const noexcept { return log_; }

  private:
    std::string log_;
};

/// A file that programs may include, by the name they include it by.
struct Header {
    std::string name;
    std::string text;
};

struct CompiledProgram {
    std::string cubin;
    std::vector<std::string> lowered_names;  ///< in the order of the name expressions
    std::string log;                         ///< warnings, and what options such as --ptxas-options=-v print
};

/// NVIDIA's run-time compiler, opened on first use and kept until the program ends. nvrtc_search.h says where it is
/// looked for. Of those found, the first that makes code which the driver here can load; without a driver, the first.
/// Every function is thread-safe; programs compile at the same time.
class Nvrtc {
  public:
    /// nullptr where there is none.
    static const Nvrtc* find();
    /// @throws DeviceError with where it was looked for and what to do about it.
    static const Nvrtc& get();
    /// Why find() is empty, in words; empty where it is not.
    static const std::string& why_missing();

    ~Nvrtc();
    Nvrtc(const Nvrtc&) = delete;
    Nvrtc& operator=(const Nvrtc&) = delete;

    /// "13.0"
    std::string version() const;
    int major() const noexcept;
    /// Equal for equal libraries, wherever they lie: the version with the library's build-id, or with a hash of its
    /// file where it has none.
    const std::string& build_identity() const noexcept;
    /// The file that was opened.
    std::filesystem::path path() const;
    /// Ascending: {"sm_75", ..., "sm_121"}.
    std::vector<std::string> supported_architectures() const;

    /// Compiles for the real architecture (sm_NN) that `options` must name. `name_expressions` are instantiated and
    /// their lowered names returned.
    /// @throws NvrtcError with the log when the program does not compile.
    CompiledProgram compile(const std::string& source, const std::string& program_name, std::span<const Header> headers,
                            const std::vector<std::string>& options,
                            const std::vector<std::string>& name_expressions) const;

  private:
    struct Library;
    struct Search;
    explicit Nvrtc(std::unique_ptr<const Library> library);
    static const Search& search();

    std::unique_ptr<const Library> library_;
};

}  // namespace redtune::gpu
