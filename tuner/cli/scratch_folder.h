#pragma once

#include <filesystem>

namespace redtune::cli {

/// A new folder for temporary files, which the destructor removes.
class ScratchFolder {
  public:
    /// @throws Error if the folder cannot be made
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace redtune::cli
