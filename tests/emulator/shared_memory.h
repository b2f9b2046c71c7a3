// Shared memory of a block, and where its variables lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_runtime.h"
#include "shadow_memory.h"

namespace emulator {

/// Offsets of the variables, equal in every block of a launch: assigned when a thread first comes by a declaration.
class SharedLayout {
  public:
    struct Entry {
        std::string name;
        std::uint32_t offset;
        std::uint32_t bytes;
    };
    static constexpr std::uint32_t guard = 128;

    void reset(std::uint32_t dynamic_bytes);
    std::uint32_t place(const SharedVariable& variable);

    std::uint32_t dynamic_offset() const { return guard; }
    std::uint32_t used() const { return used_; }
    /// Do all these bytes belong to one variable?
    bool contains(std::uintptr_t offset, std::size_t bytes) const {
        for (const Entry& entry : entries_) {
            if (offset >= entry.offset && offset + bytes <= std::uintptr_t(entry.offset) + entry.bytes) return true;
        }
        return false;
    }
    /// The variable at the offset, else the nearest; null without any.
    const Entry* nearest(std::uintptr_t offset) const;

  private:
    std::uint32_t add(std::string name, std::uint32_t bytes, std::uint32_t alignment);

    std::vector<Entry> entries_;
    std::uint32_t used_ = 0;
};

/// One block's bytes. Between two blocks reset() makes them unwritten again.
class SharedArena {
  public:
    static constexpr std::size_t capacity = 512 * 1024;

    SharedArena();
    void reset(std::uint32_t used_bytes);

    std::uintptr_t begin() const { return begin_; }
    bool contains(std::uintptr_t address) const { return address - begin_ < capacity; }
    ShadowWord& word(std::uintptr_t address) { return words_[(address - begin_) >> 2]; }

  private:
    std::unique_ptr<std::byte[]> storage_;
    ShadowWords words_;
    std::uintptr_t begin_;
};

}  // namespace emulator
