#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::jit {

/// Everything that the machine code of a kernel depends on, except the NVRTC that compiles it. No text has line breaks.
struct KernelKey {
    std::string architecture;  ///< "sm_90"
    std::string source;        ///< the source that defines the kernel's template
    std::string expression;    ///< the instantiation, as KernelName has it
    std::string code;          ///< hash of the code that the kernel includes; comments and white space do not change it
    std::string options;       ///< compile options other than the architecture

    friend auto operator<=>(const KernelKey&, const KernelKey&) = default;
};

/// Returns the key as text, under which a cache stores the kernel.
std::string to_text(const KernelKey& key);

/// Returns the key of a kernel's cache entry; empty if the text is the key of something else.
std::optional<KernelKey> parse_kernel_key(std::string_view text);

/// Returns the key under which a cache stores the machine code of a program. The kernels of the program share it.
std::string cubin_key(std::string_view architecture, std::string_view cubin);

/// Returns the architecture of a cache entry that holds a kernel or a cubin; empty for the key of anything else.
std::string_view architecture_of(std::string_view key);

/// Returns the architectures whose machine code also runs on `architecture`, other than itself, the nearest first:
/// those with the same major version and a lower minor version. The architectures of embedded (Tegra) devices are
/// compatible with none.
///
/// CUDA C++ Programming Guide, "Binary Compatibility".
std::vector<std::string> compatible_architectures(const std::string& architecture);

}  // namespace redtune::jit
