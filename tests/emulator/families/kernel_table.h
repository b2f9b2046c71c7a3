// A table of the emulated kernels. The keys are the name expressions that redtune passes to the compiler.
#pragma once

#include <map>
#include <string>

namespace redtune::emulated {

/// Runs a kernel for one thread; `arguments` points to its Arguments.
using Kernel = void (*)(const void* arguments);

inline std::map<std::string, Kernel>& kernel_table() {
    static std::map<std::string, Kernel> table;
    return table;
}

/// Adds a kernel to the table during static initialisation.
struct KernelEntry {
    KernelEntry(const char* name, Kernel kernel) { kernel_table()[name] = kernel; }
};

}  // namespace redtune::emulated
