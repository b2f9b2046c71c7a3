// The shared memory of a block and the layout of its variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_runtime.h"
#include "shadow_memory.h"

namespace emulator {

/// The offsets of the shared variables, which are the same in every block of a launch. A variable gets its offset when
/// a thread first executes its declaration.
class SharedLayout {
  public:
    struct Entry {
        std::string name;
        std::uint32_t offset;
        std::uint32_t bytes;
    };
    static constexpr std::uint32_t guard = 128;

    void reset(std::uint32_t dynamic_bytes);
    std::uint32_t allocate(const SharedVariable& variable);

    std::uint32_t dynamic_offset() const { return guard; }
    std::uint32_t used() const { return used_; }
    /// Returns whether all the bytes belong to one variable.
    bool contains(std::uintptr_t offset, std::size_t bytes) const {
        for (const Entry& entry : entries_) {
            if (offset >= entry.offset && offset + bytes <= std::uintptr_t(entry.offset) + entry.bytes) return true;
        }
        return false;
    }
    /// Returns the variable at the offset or, if there is none, the nearest; null if there are no variables.
    const Entry* nearest(std::uintptr_t offset) const;

  private:
    std::uint32_t add(std::string name, std::uint32_t bytes, std::uint32_t alignment);

    std::vector<Entry> entries_;
    std::uint32_t used_ = 0;
};

/// The shared memory of one block. reset() marks all bytes as unwritten for the next block.
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
