#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::jit {

/// The device sources, by path: the files of templates/ and kernels_src/, and the files that the user adds. Those that
/// the library was built with are parsed once in a process, which takes milliseconds.
class SourceSet {
  public:
    /// Loads the folder $REDTUNE_TEMPLATE_PATH if it is set, else the sources that the library was built with.
    /// @throws InputError for the same reason as from_folder().
    static SourceSet load();
    /// Loads the sources in templates/ and kernels_src/ of a folder. @throws InputError if one of the two does not
    /// exist.
    static SourceSet from_folder(const std::string& folder);

    /// Returns the text of a source. @throws InputError for an unknown path.
    const std::string& text(const std::string& path) const { return find(path).text; }

    /// Returns a hash of the code of a source and everything that it includes. Comments and the kind and amount of
    /// white space do not change it, so that measurements stay valid if only these change.
    std::string code_hash(const std::string& path) const;

    /// Adds a family file that the user wrote. @throws InputError if it cannot be read.
    void add_template(const std::string& file);

    /// Adds the text of an operator file that the user wrote. Every program that is compiled includes it under `path`.
    void add_operator(const std::string& path, std::string text);
    const std::vector<std::string>& operator_paths() const { return operator_paths_; }

    /// Returns all sources as headers for NVRTC.
    std::vector<gpu::Header> headers() const;

    /// Returns the families of templates/ and of the user's files, sorted by name, with their code hashes.
    /// @throws InputError "path:line: what is wrong" for invalid front matter.
    std::vector<Family> families() const;
    /// Returns the family with this name, with its code hash; nothing if there is none. Reads the front matter of the
    /// files that contain the name only, so it takes less time than families().
    /// @throws InputError "path:line: what is wrong" for invalid front matter in these files.
    std::optional<Family> find_family(std::string_view name) const;

  private:
    /// The text of a file without comments, with every run of white space as one space. It is made when it is first
    /// asked for, because a process that compiles nothing needs that of few files. Thread-safe.
    class Code {
      public:
        const std::string& of(const std::string& text);

      private:
        std::once_flag once_;
        std::string code_;
    };
    /// A file, with what code_hash() needs of it. Many families include the same files, so it is computed once.
    struct Source {
        std::string text;
        std::vector<std::string> includes;
        std::shared_ptr<Code> code;  ///< copies of a set share it
    };

    static SourceSet from_embedded_files();
    void add(const std::string& path, std::string text);
    void find_templates();
    std::vector<Family> parse() const;
    /// Returns the families of a template file with their code hashes. @param operators hashes of the operator files
    std::vector<Family> parse_file(const std::string& path, const std::string& operators) const;
    /// Returns the hashes of the user's operator files, which every program includes.
    std::string operator_hashes() const;
    const Source& find(const std::string& path) const;

    std::map<std::string, Source> files_;
    std::vector<std::string> template_paths_;
    std::vector<std::string> operator_paths_;
    bool is_built_in_ = false;  ///< these are the sources that the library was built with, and no others
};

/// Returns the contents of a text file. @throws InputError if it cannot be read or is empty.
std::string read_text(const std::string& file);

/// Returns the family with this name. @throws InputError listing the names that exist.
const Family& find_family(std::span<const Family> families, std::string_view name);

}  // namespace redtune::jit
