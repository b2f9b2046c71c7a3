// Checks every load and store of a kernel: bounds, initialisation, races.
#pragma once

#include <cstddef>
#include <cstdint>

#include "launch_state.h"

namespace emulator {

/// A load, a store or a read-modify-write that is to be checked.
struct AccessRequest {
    std::uintptr_t address;
    std::size_t bytes;
    bool write;
    bool atomic;
    std::uint32_t site;   // see source_lines.h
    bool update = false;  // a write that also reads
};

/// Checks an access of the running thread before it takes place. An access out of bounds is reported and ends the
/// launch.
void check_access(const AccessRequest& access);

/// Checks an access of the running thread to another block's shared memory, which must be within bounds.
void check_arena_access(Block& owner, const AccessRequest& access);

/// check_transfer_source() checks the memory that a transfer (a bulk copy or an asynchronous store) reads, and
/// check_transfer_target() the shared memory of `owner` that it writes. id: the id of the transfer. Accesses that are
/// ordered before this point of the running thread are also ordered before the transfer. The target counts as unwritten
/// until the transfer arrives, when mark_written() is called.
void check_transfer_source(std::uint32_t id, const AccessRequest& access);
void check_transfer_target(Block& owner, std::uint32_t id, const AccessRequest& access);
void mark_written(Block& owner, std::uintptr_t address, std::size_t bytes);

/// Returns text such as "4 bytes at offset 8 of buffer 'slots' (64 bytes)".
std::string describe_address(std::uintptr_t address, std::size_t bytes);

}  // namespace emulator
