// The emulated kernels by their names, as redtune asks the compiler for them.
#pragma once

#include <map>
#include <string>

namespace redtune::emulated {

/// Calls a kernel for one thread; the argument is the kernel's.
using Kernel = void (*)(const void* arguments);

inline std::map<std::string, Kernel>& kernel_table() {
    static std::map<std::string, Kernel> table;
    return table;
}

/// Adds a kernel while the program starts.
struct KernelEntry {
    KernelEntry(const char* name, Kernel kernel) { kernel_table()[name] = kernel; }
};

}  // namespace redtune::emulated
