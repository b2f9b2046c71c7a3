#include "tuner/core/library_folder.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

#include "tuner/core/program_folder.h"

namespace redtune {

namespace {

const char an_address_in_this_file = 0;

/// Returns the path under which the loader opened the shared library with this code; empty if the code is in the
/// program.
std::filesystem::path shared_library() {
    Dl_info info{};
    void* map = nullptr;
    if (dladdr1(&an_address_in_this_file, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
    return static_cast<const link_map*>(map)->l_name;  // the program's own name is empty
}

}  // namespace

std::filesystem::path library_folder() {
    const std::filesystem::path library = shared_library();
    if (library.empty()) return program_folder();
    std::error_code error;
    return std::filesystem::canonical(library, error).parent_path();
}

}  // namespace redtune
