#include "fiber_stacks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

namespace emulator {

namespace {

constexpr std::size_t stacks_at_once = 256;

std::vector<std::uintptr_t>& free_stacks() {
    static auto& stacks = *new std::vector<std::uintptr_t>;
    return stacks;
}

// The pool never returns memory to the system: later launches reuse the pages.
void add_stacks() {
    const auto guard = std::size_t(sysconf(_SC_PAGESIZE));
    const std::size_t stride = guard + FiberStack::bytes;
    void* memory = mmap(nullptr, stride * stacks_at_once, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t i = 0; i < stacks_at_once; ++i) {
        std::byte* low = static_cast<std::byte*>(memory) + i * stride;
        mprotect(low, guard, PROT_NONE);
        free_stacks().push_back(reinterpret_cast<std::uintptr_t>(low + guard));
    }
}

}  // namespace

FiberStack::FiberStack() {
    if (free_stacks().empty()) add_stacks();
    begin_ = free_stacks().back();
    free_stacks().pop_back();
}

FiberStack::~FiberStack() {
    free_stacks().push_back(begin_);
}

}  // namespace emulator
