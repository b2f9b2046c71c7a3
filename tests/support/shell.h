#pragma once

#include <filesystem>
#include <string>

namespace redtune::test_support {

/// The exit status and the output (stdout and stderr) of a shell command.
struct ShellResult {
    int status = -1;
    std::string output;
};

/// Runs a command with sh.
ShellResult run_shell(const std::string& command);

/// Returns whether a program with this name is on the PATH, or exists if the name is a path.
bool has_program(const std::string& name);

/// Returns the path of nvcc: $NVCC, the one on the PATH, or that of /usr/local/cuda; empty if there is none.
std::string find_nvcc();

/// A shared library that stays loaded until the object is destroyed.
class SharedLibrary {
  public:
    /// @throws std::runtime_error with the reason if the library cannot be loaded
    explicit SharedLibrary(const std::filesystem::path& file);
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    /// Returns the function or the variable of type T with this name.
    /// @throws std::runtime_error if there is none
    template <class T>
    T* find(const std::string& name) const {
        return reinterpret_cast<T*>(address_of(name));
    }

  private:
    void* address_of(const std::string& name) const;
    void* handle_;
};

}  // namespace redtune::test_support
