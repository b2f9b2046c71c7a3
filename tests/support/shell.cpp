#include "tests/support/shell.h"

#include <dlfcn.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace redtune::test_support {

ShellResult run_shell(const std::string& command) {
    ShellResult result;
    std::FILE* pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
    if (pipe == nullptr) return result;
    char buffer[4096];
    for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        result.output.append(buffer, size);
    }
    const int status = pclose(pipe);
    if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
    return result;
}

bool has_program(const std::string& name) {
    return run_shell("command -v " + name).status == 0;
}

std::string find_nvcc() {
    const char* chosen = std::getenv("NVCC");
    for (const std::string name : {chosen != nullptr ? chosen : "nvcc", "nvcc", "/usr/local/cuda/bin/nvcc"}) {
        if (has_program(name)) return name;
    }
    return {};
}

SharedLibrary::SharedLibrary(const std::filesystem::path& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

SharedLibrary::~SharedLibrary() {
    dlclose(handle_);
}

void* SharedLibrary::address_of(const std::string& name) const {
    void* address = dlsym(handle_, name.c_str());
    if (address == nullptr) throw std::runtime_error(dlerror());
    return address;
}

}  // namespace redtune::test_support
