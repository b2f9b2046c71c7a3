#include "tests/support/source_path.h"

namespace redtune::test {

std::string source_path(std::string_view relative) {
    return std::string(REDTUNE_SOURCE_DIR "/").append(relative);
}

std::string cuda_include_folder() {
    return REDTUNE_CUDA_HEADERS;
}

std::string shipped_data() {
    return REDTUNE_SHIPPED_DATA;
}

}  // namespace redtune::test
