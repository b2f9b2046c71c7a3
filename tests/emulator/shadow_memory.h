// Shadow memory: the latest accesses to every word that kernels can reach, and which of its bytes were written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "emulator.h"

namespace emulator {

/// A thread's id combines its block and its index in the block. Each transfer has the id of a thread in an imaginary
/// block after the end of the grid: thread 0 for a bulk copy, thread 1 for an asynchronous store.
constexpr std::uint32_t thread_bits = 10;
constexpr std::uint32_t thread_id(std::uint32_t block, std::uint32_t index) {
    return block << thread_bits | index;
}
constexpr std::uint32_t block_of(std::uint32_t thread) {
    return thread >> thread_bits;
}
constexpr std::uint32_t index_of(std::uint32_t thread) {
    return thread & ((1u << thread_bits) - 1);
}

struct AccessRecord {
    std::uint32_t thread;
    std::uint32_t epoch;  // number of block barriers before the access; the count goes on from launch to launch
    std::uint32_t clock;  // the thread's clock
    std::uint32_t site;   // see source_lines.h
    std::uint8_t mask;    // mask of the accessed bytes of the word
    bool write;
    bool atomic;
};

/// The shadow of four bytes. It is all zero if they were never accessed.
struct ShadowWord {
    static constexpr int most_records = 4;
    AccessRecord recent[most_records];
    std::uint8_t used;
    std::uint8_t written;  // mask of the bytes that were written
};

struct ReleaseWords {
    void operator()(ShadowWord* words) const;
};
using ShadowWords = std::unique_ptr<ShadowWord[], ReleaseWords>;

/// Returns `count` shadow words, all zero. Pages of them that are never accessed take no memory.
ShadowWords make_shadow_words(std::size_t count);

/// A buffer in device memory (shared memory is in SharedArena).
struct Region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    Access access = Access::read_write;
    ShadowWords words;  // null for read-only memory
    std::string name;
    std::unique_ptr<std::byte[]> storage;

    ShadowWord& word(std::uintptr_t address) const { return words[(address >> 2) - (begin >> 2)]; }
};

/// Returns a mask of the bytes of the word at `word` that [address, address + bytes) covers.
inline std::uint8_t byte_mask(std::uintptr_t word, std::uintptr_t address, std::size_t bytes) {
    const std::uintptr_t first = address > word ? address - word : 0;
    const std::uintptr_t end = address + bytes < word + 4 ? address + bytes - word : 4;
    return std::uint8_t(((1u << end) - 1) & ~((1u << first) - 1));
}

}  // namespace emulator
