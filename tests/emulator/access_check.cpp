#include "access_check.h"

#include <algorithm>

#include "race_detector.h"
#include "scheduler.h"
#include "source_lines.h"

// The linker defines these two symbols: the program's code, constants and variables lie between them.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace emulator {

namespace {

bool in_program(std::uintptr_t address) {
    return address >= reinterpret_cast<std::uintptr_t>(&__executable_start) &&
           address < reinterpret_cast<std::uintptr_t>(&_end);
}

Region* find_region(std::uintptr_t address, std::size_t bytes) {
    for (const auto& region : launch.memory->regions()) {
        if (address >= region->begin && address + bytes <= region->end) return region.get();
    }
    return nullptr;
}

std::string describe_position(const std::string& name, std::uintptr_t begin, std::uintptr_t end, std::uintptr_t address,
                              std::size_t bytes) {
    const std::string size = std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    if (address + bytes <= begin) {
        return size + " at " + std::to_string(begin - address) + " bytes before the start of " + name;
    }
    if (address >= end) return size + " at " + std::to_string(address - end) + " bytes past the end of " + name;
    const std::string at = size + " at offset " + std::to_string(std::int64_t(address - begin)) + " of " + name;
    return address + bytes > end ? at + ", across its end" : at;
}

std::string describe_shared(const Block& owner, std::uintptr_t address, std::size_t bytes) {
    const std::uintptr_t base = owner.arena->begin();
    const SharedLayout::Entry* entry = launch.layout.nearest(address - base);
    if (entry == nullptr) return "shared memory, of which the launch has none";
    const std::uintptr_t begin = base + entry->offset;
    std::string name = entry->name;
    if (&owner != current.thread->block) name += " of block " + std::to_string(owner.index);
    return describe_position(name + " (" + std::to_string(entry->bytes) + " bytes)", begin, begin + entry->bytes,
                             address, bytes);
}

const char* verb(const AccessRequest& access) {
    return access.write ? "writes " : "reads ";
}

[[gnu::cold]] void report_access(const char* kind, const AccessRequest& access, const std::string& text, bool fatal) {
    const std::string line = source_lines({access.site})[0];
    const std::string source = std::string(kind) + line;
    const std::string whole = std::string(kind) + ": " + name_of(current.thread->id) + " " + text + " (" + line + ")";
    if (fatal) {
        report_fatal(source, whole);
    } else {
        report(source, whole);
    }
}

[[gnu::cold]] void report_out_of_bounds(const AccessRequest& access) {
    report_access("out of bounds", access, verb(access) + describe_address(access.address, access.bytes), true);
}

// Returns whether a read counts as a read of uninitialised memory. Structs are copied with their padding, which is
// never written. A read of 5 to 8 bytes therefore needs only one written byte in each word, and a larger read needs one
// written byte in total.
bool misses_initialisation(const AccessRequest& access, std::uint32_t words_untouched, std::uint32_t words,
                           bool some_byte_missing) {
    if (access.bytes <= 4) return some_byte_missing;
    return access.bytes <= 8 ? words_untouched > 0 : words_untouched == words;
}

// Compares an access with the shadow of its words and records it there. track: report reads of bytes that were never
// written.
void check_words(ShadowWord* word, const AccessRequest& access, AccessRecord record, bool track, const Thread& thread) {
    const std::uintptr_t end = access.address + access.bytes;
    std::uint32_t untouched = 0;
    std::uint32_t words = 0;
    bool some_byte_missing = false;
    bool raced = false;
    for (std::uintptr_t at = access.address & ~std::uintptr_t(3); at < end; at += 4, ++word, ++words) {
        record.mask = byte_mask(at, access.address, access.bytes);
        const std::uint8_t written = word->written & record.mask;
        untouched += written == 0;
        some_byte_missing = some_byte_missing || written != record.mask;
        if (const AccessRecord* race = record_access(*word, thread, record)) {
            raced = true;
            report_race(record, *race, describe_address(access.address, access.bytes));
        }
        if (access.write) word->written |= record.mask;
    }
    const bool reads = !access.write || access.update;
    if (track && reads && !raced && misses_initialisation(access, untouched, words, some_byte_missing) &&
        launch.defects.first_at('u', access.site, 0)) {
        report_access("uninitialised", access,
                      "reads " + describe_address(access.address, access.bytes) + ", which nothing has written", false);
    }
}

AccessRecord record_of(const Thread& thread, const AccessRequest& access) {
    return {thread.id, thread.block->epoch, thread.clock, access.site, 0, access.write, access.atomic};
}

AccessRecord record_of_transfer(std::uint32_t id, const AccessRequest& access) {
    return {id, launch.first_epoch, 1, access.site, 0, access.write, false};
}

}  // namespace

std::string describe_address(std::uintptr_t address, std::size_t bytes) {
    constexpr std::uintptr_t near = 64 * 1024;
    for (const Block* block : launch.blocks) {
        if (block != nullptr && block->arena->contains(address)) return describe_shared(*block, address, bytes);
    }
    const Region* best = nullptr;
    std::uintptr_t best_distance = near;
    for (const auto& region : launch.memory->regions()) {
        const std::uintptr_t distance = address < region->begin ? region->begin - address
                                        : address > region->end ? address - region->end
                                                                : 0;
        if (distance < best_distance) {
            best = region.get();
            best_distance = distance;
        }
    }
    if (best == nullptr) {
        return std::to_string(bytes) + " bytes at address " + std::to_string(address) + ", which is in no allocation";
    }
    return describe_position("buffer '" + best->name + "' (" + std::to_string(best->end - best->begin) + " bytes)",
                             best->begin, best->end, address, bytes);
}

void check_access(const AccessRequest& access) {
    Thread& thread = *current.thread;
    SharedArena& arena = *thread.block->arena;
    if (arena.contains(access.address)) {
        if (!launch.layout.contains(access.address - arena.begin(), access.bytes)) report_out_of_bounds(access);
        check_words(&arena.word(access.address), access, record_of(thread, access), true, thread);
        return;
    }
    const Region* region = find_region(access.address, access.bytes);
    if (region == nullptr) {
        if (in_program(access.address)) return;
        report_out_of_bounds(access);
    }
    if (region->access == Access::read_only) {
        if (access.write) {
            report_access("read-only", access,
                          "writes " + describe_address(access.address, access.bytes) + ", which is read-only", true);
        }
        return;
    }
    check_words(&region->word(access.address), access, record_of(thread, access),
                region->access == Access::uninitialised, thread);
}

void check_arena_access(Block& owner, const AccessRequest& access) {
    if (!launch.layout.contains(access.address - owner.arena->begin(), access.bytes)) report_out_of_bounds(access);
    check_words(&owner.arena->word(access.address), access, record_of(*current.thread, access), true, *current.thread);
}

void check_transfer_source(std::uint32_t id, const AccessRequest& access) {
    const Region* region = find_region(access.address, access.bytes);
    if (region == nullptr) report_out_of_bounds(access);
    if (!region->words) return;
    check_words(&region->word(access.address), access, record_of_transfer(id, access),
                region->access == Access::uninitialised, *current.thread);
}

void check_transfer_target(Block& owner, std::uint32_t id, const AccessRequest& access) {
    SharedArena& arena = *owner.arena;
    if (!arena.contains(access.address) || !launch.layout.contains(access.address - arena.begin(), access.bytes)) {
        report_out_of_bounds(access);
    }
    ShadowWord* words = &arena.word(access.address);
    check_words(words, access, record_of_transfer(id, access), false, *current.thread);
    for (std::size_t i = 0; i < access.bytes / 4; ++i) words[i].written = 0;
}

void mark_written(Block& owner, std::uintptr_t address, std::size_t bytes) {
    ShadowWord* words = &owner.arena->word(address);
    for (std::size_t i = 0; i < bytes / 4; ++i) words[i].written = 0xf;
}

}  // namespace emulator
