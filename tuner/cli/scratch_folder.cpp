#include "tuner/cli/scratch_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "redtune/error.h"

namespace redtune::cli {

ScratchFolder::ScratchFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "redtune-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
        throw Error(fmt::format("cannot make a folder {}; set TMPDIR to a folder that can be written", path));
    }
    path_ = path;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace redtune::cli
