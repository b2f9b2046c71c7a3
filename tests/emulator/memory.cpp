#include <cstring>
#include <stdexcept>

#include "emulator.h"
#include "shadow_memory.h"

namespace emulator {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t guard = 1024;

template <class F>
void for_each_word(const Region& region, const void* from, std::size_t bytes, F f) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    for (std::uintptr_t word = begin & ~std::uintptr_t(3); word < begin + bytes; word += 4) {
        f(region.word(word), byte_mask(word, begin, bytes));
    }
}

}  // namespace

void ReleaseWords::operator()(ShadowWord* words) const {
    std::free(words);
}

ShadowWords make_shadow_words(std::size_t count) {
    auto* words = static_cast<ShadowWord*>(std::calloc(count, sizeof(ShadowWord)));
    if (words == nullptr) throw std::bad_alloc();
    return ShadowWords(words);
}

Memory::Memory() = default;
Memory::~Memory() = default;

void* Memory::allocate_bytes(std::size_t bytes, Access access, std::size_t offset_bytes, std::string name) {
    auto region = std::make_unique<Region>();
    const std::size_t whole = guard + alignment + offset_bytes + bytes + guard;
    region->storage = std::make_unique<std::byte[]>(whole);
    const auto base = reinterpret_cast<std::uintptr_t>(region->storage.get()) + guard;
    region->begin = (base + alignment - 1) / alignment * alignment + offset_bytes;
    region->end = region->begin + bytes;
    region->access = access;
    region->name = name.empty() ? "buffer " + std::to_string(regions_.size()) : std::move(name);
    if (access != Access::read_only) region->words = make_shadow_words(bytes / 4 + 2);
    regions_.push_back(std::move(region));
    return reinterpret_cast<void*>(regions_.back()->begin);
}

Region& Memory::region_of(const void* from, std::size_t bytes) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    for (const auto& region : regions_) {
        if (begin >= region->begin && begin + bytes <= region->end) return *region;
    }
    throw std::invalid_argument("emulator::Memory: the range is in no buffer");
}

void Memory::fill(void* from, std::size_t bytes, int value) {
    mark_initialised(from, bytes);
    std::memset(from, value, bytes);
}

void Memory::mark_initialised(void* from, std::size_t bytes) {
    const Region& region = region_of(from, bytes);
    if (!region.words) return;
    for_each_word(region, from, bytes, [](ShadowWord& word, std::uint8_t mask) { word.written |= mask; });
}

void Memory::mark_uninitialised(void* from, std::size_t bytes) {
    const Region& region = region_of(from, bytes);
    if (region.access != Access::uninitialised) {
        throw std::invalid_argument("emulator::Memory: " + region.name + " was not allocated as uninitialised");
    }
    for_each_word(region, from, bytes,
                  [](ShadowWord& word, std::uint8_t mask) { word.written &= std::uint8_t(~mask); });
}

bool Memory::initialised(const void* from, std::size_t bytes) const {
    const Region& region = region_of(from, bytes);
    if (!region.words) return true;
    bool all = true;
    for_each_word(region, from, bytes,
                  [&](ShadowWord& word, std::uint8_t mask) { all = all && (word.written & mask) == mask; });
    return all;
}

}  // namespace emulator
