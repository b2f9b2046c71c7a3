#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::jit {

/// The device sources: templates/ and kernels_src/, as path -> text.
class SourceSet {
  public:
    /// From the folder $REDTUNE_TEMPLATE_PATH, which holds templates/ and kernels_src/, where it is set; else the
    /// sources the library was built with.
    /// @throws InputError if the folder or one of the two in it is not there.
    static SourceSet load();
    static SourceSet from_folder(const std::string& folder);

    /// @throws InputError for a path that is not there.
    const std::string& text(const std::string& path) const;

    /// A hash of the code that `path` is made of: itself and all it includes, without comments and white space, so
    /// that a measurement stays valid when only words change.
    std::string code_hash(const std::string& path) const;

    /// All sources, as NVRTC's headers.
    std::vector<gpu::Header> headers() const;

    /// The families: one for each file of templates/, sorted by name, with their code hashes.
    /// @throws InputError "path:line: what is wrong" for a wrong front matter.
    std::vector<Family> families() const;

  private:
    std::map<std::string, std::string> files_;
};

/// @throws InputError with the names there are.
const Family& find_family(const std::vector<Family>& families, std::string_view name);

}  // namespace redtune::jit
