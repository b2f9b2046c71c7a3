#include "compare/machine_code.h"

#include <elf.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace redtune::compare {

namespace {

/// What a section of a cubin says about a kernel: its bytes (none if it only reserves memory), its size, its flags and,
/// for code, the number of registers, which are the upper 8 bits of sh_info. The flags of code hold the barriers.
using Section = std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::uint32_t>;
using Sections = std::map<std::string_view, Section>;

constexpr std::string_view code_section = ".text.";

/// Reads a structure of an ELF file. Returns nullopt if the file ends before it does.
template <class T>
std::optional<T> read(std::string_view file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return value;
}

/// Returns the sections of a cubin whose names end with ".SYMBOL"; none if the file is not a complete cubin.
Sections sections_of(std::string_view file, std::string_view symbol) {
    const auto header = read<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
    const auto section = [&](std::uint64_t index) {
        return read<Elf64_Shdr>(file, header->e_shoff + index * header->e_shentsize);
    };
    const auto names = section(header->e_shstrndx);
    if (!names) return {};
    Sections found;
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto at = section(i);
        if (!at || names->sh_offset + at->sh_name >= file.size()) return {};
        std::string_view name = file.substr(names->sh_offset + at->sh_name);
        name = name.substr(0, name.find('\0'));
        if (!name.ends_with(symbol) || !name.substr(0, name.size() - symbol.size()).ends_with('.')) continue;
        const bool has_bytes = at->sh_type != SHT_NOBITS;
        if (has_bytes && (at->sh_offset > file.size() || file.size() - at->sh_offset < at->sh_size)) return {};
        found[name] = {has_bytes ? file.substr(at->sh_offset, at->sh_size) : std::string_view(), at->sh_size,
                       at->sh_flags, name.starts_with(code_section) ? at->sh_info >> 24 : 0};
    }
    return found;
}

}  // namespace

bool have_same_code(const jit::CompiledKernel& a, const jit::CompiledKernel& b) {
    if (!a.cubin || !b.cubin || a.symbol != b.symbol) return false;
    const Sections sections = sections_of(*a.cubin, a.symbol);
    return sections.contains(std::string(code_section) + a.symbol) && sections == sections_of(*b.cubin, b.symbol);
}

}  // namespace redtune::compare
