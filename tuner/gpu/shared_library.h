#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace redtune::gpu {

/// A library opened at run time. Never closed once it is kept: drivers do not survive it.
class SharedLibrary {
  public:
    /// By path, or by name through the loader's search. Empty where it cannot be opened; `reason` then says why.
    static std::optional<SharedLibrary> open(const std::string& name, std::string& reason);

    /// The symbol's address, or nullptr.
    void* symbol(const char* name) const noexcept;
    /// Undoes the opening, for a library that turned out to be the wrong one.
    void close() noexcept;

  private:
    explicit SharedLibrary(void* handle) : handle_(handle) {}
    void* handle_;
};

/// The file that the code or data at an address was loaded from; empty for an address of no library.
std::filesystem::path file_of(const void* address);

/// The GNU build-id note of the object that an address belongs to, in hexadecimal; empty where it has none.
std::string build_id_of(const void* address);

}  // namespace redtune::gpu
