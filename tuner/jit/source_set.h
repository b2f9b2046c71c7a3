#pragma once

#include <map>
#include <span>
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

    /// Adds a family of the user's own, by its file. @throws InputError if the file cannot be read.
    void add_template(const std::string& file);

    /// Adds an operator of the user's own, under the path that it is included by in every kernel.
    void add_operator(const std::string& path, std::string text);
    const std::vector<std::string>& operator_paths() const { return operator_paths_; }

    /// All sources, as NVRTC's headers.
    std::vector<gpu::Header> headers() const;

    /// The families of templates/ and of the user's own files, sorted by name, with their code hashes.
    /// @throws InputError "path:line: what is wrong" for a wrong front matter.
    std::vector<Family> families() const;

  private:
    void find_templates();

    std::map<std::string, std::string> files_;
    std::vector<std::string> template_paths_;
    std::vector<std::string> operator_paths_;
};

/// The whole of a text file. @throws InputError if it cannot be read.
std::string read_text(const std::string& file);

/// @throws InputError with the names there are.
const Family& find_family(std::span<const Family> families, std::string_view name);

}  // namespace redtune::jit
