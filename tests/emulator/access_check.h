// Checks of every load and store of a kernel: bounds, initialisation, races.
#pragma once

#include <cstddef>
#include <cstdint>

#include "launch_state.h"

namespace emulator {

struct AccessRequest {
    std::uintptr_t address;
    std::size_t bytes;
    bool write;
    bool atomic;
    std::uint32_t site;
    bool update = false;  // a write that also reads
};

/// Checks an access of the running thread. An access out of bounds ends the launch before the access is done.
void check_access(const AccessRequest& access);

/// Checks an access of the running thread to another block's shared memory, which must be within bounds.
void check_arena_access(Block& owner, const AccessRequest& access);

/// Checks the accesses of a bulk copy or an asynchronous store with the given id. Everything ordered before the running
/// thread is ordered before the transfer. Its target, in shared memory of `owner`, counts as unwritten until
/// mark_written() says that the transfer has arrived.
void check_transfer_source(std::uint32_t id, const AccessRequest& access);
void check_transfer_target(Block& owner, std::uint32_t id, const AccessRequest& access);
void mark_written(Block& owner, std::uintptr_t address, std::size_t bytes);

/// Returns text such as "bytes 4-7 of buffer 'slots'".
std::string describe_address(std::uintptr_t address, std::size_t bytes);

}  // namespace emulator
