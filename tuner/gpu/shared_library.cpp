#include "tuner/gpu/shared_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace redtune::gpu {

namespace {

struct BuildIdSearch {
    std::uintptr_t address;
    std::string build_id;
};

/// Returns the size rounded up to a multiple of four bytes, the alignment of the name and the description in an ELF
/// note.
std::size_t aligned_note_size(std::size_t size) {
    return (size + 3) & ~std::size_t{3};
}

/// Returns the GNU build ID in an ELF note segment, in hexadecimal; empty if it has none.
std::string build_id_in(std::span<const std::uint8_t> notes) {
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header{};
        std::memcpy(&header, notes.data(), sizeof(header));
        const std::size_t description = sizeof(header) + aligned_note_size(header.n_namesz);
        const std::size_t end = description + aligned_note_size(header.n_descsz);
        if (end > notes.size()) break;
        const bool is_gnu = header.n_namesz == 4 && std::memcmp(notes.data() + sizeof(header), "GNU", 4) == 0;
        if (is_gnu && header.n_type == NT_GNU_BUILD_ID) {
            std::string text;
            for (const std::uint8_t byte : notes.subspan(description, header.n_descsz)) {
                text += fmt::format("{:02x}", byte);
            }
            return text;
        }
        notes = notes.subspan(end);
    }
    return {};
}

bool contains(const dl_phdr_info& object, std::uintptr_t address) {
    for (const ElfW(Phdr) & header : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
        const std::uintptr_t begin = object.dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && address >= begin && address - begin < header.p_memsz) return true;
    }
    return false;
}

/// Callback of dl_iterate_phdr. Stores the build ID of the object that contains the address, and then ends the
/// iteration.
int visit(dl_phdr_info* object, std::size_t, void* data) {
    BuildIdSearch& search = *static_cast<BuildIdSearch*>(data);
    if (!contains(*object, search.address)) return 0;
    for (const ElfW(Phdr) & header : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
        if (header.p_type != PT_NOTE || !search.build_id.empty()) continue;
        const auto* notes = reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + header.p_vaddr);
        search.build_id = build_id_in({notes, header.p_memsz});
    }
    return 1;
}

}  // namespace

std::optional<SharedLibrary> SharedLibrary::open(const std::string& name, std::string& reason) {
    void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return SharedLibrary(handle);
    const char* text = ::dlerror();
    reason = text != nullptr ? text : name + ": cannot be opened";
    return std::nullopt;
}

void* SharedLibrary::symbol(const char* name) const noexcept {
    return ::dlsym(handle_, name);
}

void SharedLibrary::close() noexcept {
    ::dlclose(handle_);
}

std::filesystem::path file_of(const void* address) {
    Dl_info info{};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    return info.dli_fname;
}

std::string build_id_of(const void* address) {
    BuildIdSearch search{reinterpret_cast<std::uintptr_t>(address), {}};
    ::dl_iterate_phdr(visit, &search);
    return search.build_id;
}

}  // namespace redtune::gpu
