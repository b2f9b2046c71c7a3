// Every load and store of a kernel: bounds, initialisation, races.
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

/// By the thread that runs. Ends the launch for an access out of bounds, so that it does not happen.
void check_access(const AccessRequest& access);

/// To shared memory of a block other than the thread's own; within bounds.
void check_arena_access(Block& owner, const AccessRequest& access);

/// By a bulk copy or an asynchronous store, which know all that the thread that runs knows. What it writes, to shared
/// memory of `owner`, is unwritten until it arrives.
void check_transfer_source(std::uint32_t id, const AccessRequest& access);
void check_transfer_target(Block& owner, std::uint32_t id, const AccessRequest& access);
void mark_written(Block& owner, std::uintptr_t address, std::size_t bytes);

/// "bytes 4-7 of buffer 'slots'".
std::string describe_address(std::uintptr_t address, std::size_t bytes);

}  // namespace emulator
