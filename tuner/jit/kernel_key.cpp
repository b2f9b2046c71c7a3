#include "tuner/jit/kernel_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tuner/core/hash.h"

namespace redtune::jit {

namespace {

constexpr std::string_view kernel_word = "kernel";
constexpr std::string_view cubin_word = "cubin";
constexpr std::string_view architecture_prefix = "sm_";
// Orin and its predecessors; sm_101 is Thor's name before CUDA 13, sm_110 the name since.
constexpr std::array<std::string_view, 6> embedded = {"sm_53", "sm_62", "sm_72", "sm_87", "sm_101", "sm_110"};

bool is_embedded(std::string_view architecture) {
    return std::ranges::find(embedded, architecture) != embedded.end();
}

/// Returns the lines of a text; the last one need not end with a line break.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace

std::string to_text(const KernelKey& key) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", kernel_word, key.architecture, key.source, key.expression, key.code,
                       key.options);
}

std::optional<KernelKey> parse_kernel_key(std::string_view text) {
    const std::vector<std::string> lines = lines_of(text);
    constexpr std::size_t line_count = 6;
    if (lines.size() != line_count || lines[0] != kernel_word) return std::nullopt;
    return KernelKey{lines[1], lines[2], lines[3], lines[4], lines[5]};
}

std::string cubin_key(std::string_view architecture, std::string_view cubin) {
    return fmt::format("{}\n{}\n{}", cubin_word, architecture, content_hash(cubin));
}

std::string_view architecture_of(std::string_view key) {
    const std::size_t end = key.find('\n');
    const std::string_view word = key.substr(0, end);
    if (end == std::string_view::npos || (word != kernel_word && word != cubin_word)) return {};
    const std::string_view line = key.substr(end + 1, key.find('\n', end + 1) - end - 1);
    return line.starts_with(architecture_prefix) ? line : std::string_view();
}

std::vector<std::string> compatible_architectures(const std::string& architecture) {
    std::vector<std::string> compatible;
    constexpr std::size_t shortest = architecture_prefix.size() + 2;  // a major and a minor version
    const bool is_architecture = architecture.starts_with(architecture_prefix) && architecture.size() >= shortest;
    if (!is_architecture || is_embedded(architecture)) return compatible;
    const std::string major = architecture.substr(0, architecture.size() - 1);
    for (char minor = architecture.back(); minor > '0' && minor <= '9'; --minor) {
        std::string lower = major + static_cast<char>(minor - 1);
        if (!is_embedded(lower)) compatible.push_back(std::move(lower));
    }
    return compatible;
}

}  // namespace redtune::jit
