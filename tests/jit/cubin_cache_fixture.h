#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tuner/core/hash.h"
#include "tuner/jit/cubin_cache.h"

namespace redtune::jit {

/// A cap that no test reaches, in bytes.
inline constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

/// A temporary folder for the caches of a test.
class CubinCacheTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = std::filesystem::temp_directory_path() / "cubin_cache_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
        folder_ = root_ / "some" / "cache";
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    std::filesystem::path file_of(std::string_view key) const { return folder_ / (content_hash(key) + ".entry"); }

    static std::string read(const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    static void write(const std::filesystem::path& file, std::string_view bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
    }
    static void set_age(const std::filesystem::path& file, std::chrono::minutes age) {
        std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
    }
    std::size_t file_count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }

    std::filesystem::path root_;
    std::filesystem::path folder_;
};

}  // namespace redtune::jit
