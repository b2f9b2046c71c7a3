// Atomic accesses and other services of the emulator for device code.
#include <cstring>

#include "access_check.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

bool on_own_stack(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at) - current.stack_begin < FiberStack::bytes;
}

unsigned long long raw_load(const void* from, std::size_t bytes) {
    unsigned long long bits = 0;
    std::memcpy(&bits, from, bytes);
    return bits;
}

void raw_store(void* to, std::size_t bytes, unsigned long long bits) {
    if (raw_load(to, bytes) != bits) note_progress();
    std::memcpy(to, &bits, bytes);
}

void check_atomic(const void* at, std::size_t bytes, bool write, bool update, std::uint32_t site) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    if (address % bytes != 0) {
        report_fatal("misaligned " + source_lines({site})[0], "misaligned: " + name_of(current.thread->id) +
                                                                  " accesses " + describe_address(address, bytes) +
                                                                  " atomically (" + source_lines({site})[0] + ")");
    }
    check_access({address, bytes, write, true, site, update});
}

}  // namespace

KernelScope::KernelScope() {
    current.in_device_code = true;
}
KernelScope::~KernelScope() {
    current.in_device_code = false;
}

Index3 thread_index() {
    return {current.thread->index, 0, 0};
}
Index3 block_index() {
    return {current.thread->block->index, 0, 0};
}
Index3 block_dim() {
    return {launch.shape.block, 1, 1};
}
Index3 grid_dim() {
    return {launch.shape.grid, 1, 1};
}

void preempt() {
    if (!current.in_device_code) return;
    const RuntimeScope scope;
    if (launch.random.one_in(8)) preemption_point();
}

unsigned long long atomic_load(const void* from, std::size_t bytes, AtomicOrder order) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    poll_point(site);
    check_atomic(from, bytes, false, false, site);
    read_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(from), order);
    return raw_load(from, bytes);
}

void atomic_store(void* to, std::size_t bytes, unsigned long long bits, AtomicOrder order) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    check_atomic(to, bytes, true, false, site);
    write_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(to), order, false);
    raw_store(to, bytes, bits);
    preemption_point();
}

void atomic_load_128(const void* from, unsigned long long* low, unsigned long long* high) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    poll_point(site);
    check_atomic(from, 16, false, false, site);
    read_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(from), AtomicOrder::relaxed);
    *low = raw_load(from, 8);
    *high = raw_load(static_cast<const unsigned char*>(from) + 8, 8);
}

void atomic_store_128(void* to, unsigned long long low, unsigned long long high) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    check_atomic(to, 16, true, false, site);
    write_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(to), AtomicOrder::relaxed, false);
    raw_store(to, 8, low);
    raw_store(static_cast<unsigned char*>(to) + 8, 8, high);
    preemption_point();
}

unsigned long long begin_update(void* at, std::size_t bytes) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    poll_point(site);
    check_atomic(at, bytes, true, true, site);
    read_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(at), AtomicOrder::relaxed);
    return raw_load(at, bytes);
}

void end_update(void* at, std::size_t bytes, unsigned long long bits) {
    const RuntimeScope scope;
    write_atomic(*current.thread, reinterpret_cast<std::uintptr_t>(at), AtomicOrder::relaxed, true);
    raw_store(at, bytes, bits);
}

void track_copy(void* to, const void* from, std::size_t bytes) {
    if (!current.in_device_code || bytes == 0) return;
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    if (!on_own_stack(from)) check_access({reinterpret_cast<std::uintptr_t>(from), bytes, false, false, site});
    if (!on_own_stack(to)) check_access({reinterpret_cast<std::uintptr_t>(to), bytes, true, false, site});
}

void check_alignment(const void* address, std::size_t alignment) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (!current.in_device_code || at % alignment == 0) return;
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    report_fatal("misaligned " + source_lines({site})[0],
                 "misaligned: " + name_of(current.thread->id) + " accesses " + describe_address(at, alignment) +
                     ", at an address that is no multiple of " + std::to_string(alignment) + " (" +
                     source_lines({site})[0] + ")");
}

long long clock_cycles() {
    static long long cycles = 0;
    return cycles += 100;
}

}  // namespace emulator
