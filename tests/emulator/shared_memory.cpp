#include "shared_memory.h"

#include <algorithm>
#include <cstring>

#include "launch_state.h"

namespace emulator {

namespace {

constexpr std::size_t base_alignment = 1024;
// The value of unwritten bytes. It is implausible, so that a use of them shows in results.
constexpr int unwritten_byte = 0xa5;

}  // namespace

void SharedLayout::reset(std::uint32_t dynamic_bytes) {
    entries_.clear();
    used_ = 0;
    add("dynamic shared memory", dynamic_bytes, guard);
}

std::uint32_t SharedLayout::add(std::string name, std::uint32_t bytes, std::uint32_t alignment) {
    const std::uint32_t step = std::max(alignment, 16u);
    const std::uint32_t offset = (used_ + guard + step - 1) / step * step;
    if (offset + bytes + guard > SharedArena::capacity) {
        report_fatal("shared memory", "launch: more shared memory than any GPU has");
    }
    used_ = offset + bytes;
    entries_.push_back({std::move(name), offset, bytes});
    return offset;
}

std::uint32_t SharedLayout::allocate(const SharedVariable& variable) {
    return add(std::string("shared variable '") + variable.name + "'", std::uint32_t(variable.bytes),
               std::uint32_t(variable.alignment));
}

const SharedLayout::Entry* SharedLayout::nearest(std::uintptr_t offset) const {
    const auto distance = [&](const Entry& entry) -> std::uintptr_t {
        if (offset < entry.offset) return entry.offset - offset;
        const std::uintptr_t end = entry.offset + entry.bytes;
        return offset < end ? 0 : offset - end + 1;
    };
    const Entry* best = nullptr;
    for (const Entry& entry : entries_) {
        if (entry.bytes == 0) continue;
        if (best == nullptr || distance(entry) < distance(*best)) best = &entry;
    }
    return best;
}

SharedArena::SharedArena()
    : storage_(std::make_unique_for_overwrite<std::byte[]>(capacity + base_alignment)),
      words_(make_shadow_words(capacity / 4)),
      begin_((reinterpret_cast<std::uintptr_t>(storage_.get()) + base_alignment - 1) / base_alignment *
             base_alignment) {}

void SharedArena::reset(std::uint32_t used_bytes) {
    std::memset(reinterpret_cast<void*>(begin_), unwritten_byte, used_bytes);
    std::memset(static_cast<void*>(words_.get()), 0, (used_bytes / 4 + 1) * sizeof(ShadowWord));
}

void* shared_variable(SharedVariable& variable, const char* name) {
    const RuntimeScope scope;
    if (variable.launch != launch.number) {
        variable.name = name;
        variable.offset = launch.layout.allocate(variable);
        variable.launch = launch.number;
    }
    return reinterpret_cast<void*>(current.thread->block->arena->begin() + variable.offset);
}

void* dynamic_shared_memory() {
    return reinterpret_cast<void*>(current.thread->block->arena->begin() + launch.layout.dynamic_offset());
}

}  // namespace emulator
