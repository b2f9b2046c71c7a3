#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace redtune::gpu {

/// A library opened at run time. It stays open, because NVIDIA's libraries cannot be unloaded safely.
class SharedLibrary {
  public:
    /// Opens a library by its path, or by a name that the loader searches for. Empty on failure; `reason` then says
    /// why.
    static std::optional<SharedLibrary> open(const std::string& name, std::string& reason);

    /// Returns the symbol's address, or nullptr.
    void* symbol(const char* name) const noexcept;
    /// Closes the library. Call it only for a library that turned out to be unsuitable, before calling any function of
    /// it that has an effect.
    void close() noexcept;

  private:
    explicit SharedLibrary(void* handle) : handle_(handle) {}
    void* handle_;
};

/// Returns the file that the code or data at an address was loaded from; empty if the address is in no library.
std::filesystem::path file_of(const void* address);

/// Returns the GNU build ID of the library that contains an address, in hexadecimal; empty if it has none.
std::string build_id_of(const void* address);

}  // namespace redtune::gpu
