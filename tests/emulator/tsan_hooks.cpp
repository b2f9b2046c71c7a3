// The functions that -fsanitize=thread calls for every load and store of device code. ThreadSanitizer's own runtime is
// not linked.
#include "access_check.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

// A thread that has loaded one word more than this many times in a row is assumed to be polling.
constexpr std::uint32_t reads_that_poll = 64;
// After this many loads a thread lets others run, so that a loop without synchronisation cannot block them.
constexpr std::uint32_t reads_at_a_time = 1u << 20;

[[gnu::noinline]] void check(const AccessRequest& access, bool misaligned) {
    const RuntimeScope scope;
    Thread& thread = *current.thread;
    if (misaligned) {
        report_fatal("misaligned " + source_lines({access.site})[0],
                     "misaligned: " + name_of(thread.id) + " accesses " +
                         describe_address(access.address, access.bytes) + ", at an address that is no multiple of " +
                         std::to_string(access.bytes) + " (" + source_lines({access.site})[0] + ")");
    }
    check_access(access);
    if (access.write) {
        note_progress();
        thread.repeated_reads = 0;
        return;
    }
    const bool same = thread.last_read == access.address;
    thread.last_read = access.address;
    thread.repeated_reads = same ? thread.repeated_reads + 1 : 0;
    if (thread.repeated_reads > reads_that_poll || ++thread.reads_since_switch > reads_at_a_time) {
        thread.repeated_reads = 0;
        thread.reads_since_switch = 0;
        poll_point(access.site);
    }
}

inline void on_access(const void* at, std::size_t bytes, bool write, bool aligned, const void* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    if (!current.in_device_code || address - current.stack_begin < FiberStack::bytes) return;
    // The check is for at most 8 bytes, because GCC calls the hooks for aligned accesses also for 16-byte objects that
    // are aligned to 8 bytes.
    const std::size_t alignment = bytes < 8 ? bytes : 8;
    check({address, bytes, write, false, make_site(from)}, aligned && address % alignment != 0);
}

}  // namespace

}  // namespace emulator

#define HOOKS(size)                                                               \
    void __tsan_read##size(const void* at) {                                      \
        emulator::on_access(at, size, false, true, __builtin_return_address(0));  \
    }                                                                             \
    void __tsan_write##size(const void* at) {                                     \
        emulator::on_access(at, size, true, true, __builtin_return_address(0));   \
    }                                                                             \
    void __tsan_unaligned_read##size(const void* at) {                            \
        emulator::on_access(at, size, false, false, __builtin_return_address(0)); \
    }                                                                             \
    void __tsan_unaligned_write##size(const void* at) {                           \
        emulator::on_access(at, size, true, false, __builtin_return_address(0));  \
    }

extern "C" {

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(const void* at, std::size_t bytes) {
    emulator::on_access(at, bytes, false, false, __builtin_return_address(0));
}
void __tsan_write_range(const void* at, std::size_t bytes) {
    emulator::on_access(at, bytes, true, false, __builtin_return_address(0));
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

}  // extern "C"
