#include "tuner/core/program_folder.h"

#include <system_error>

namespace redtune {

std::filesystem::path program_folder() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace redtune
