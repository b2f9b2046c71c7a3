#include "tests/allocation/count_allocations.h"

#include <cstdlib>
#include <new>

#include "tests/simulated_driver/simulated_driver.h"

namespace {

thread_local std::uint64_t count = 0;

void* allocate(std::size_t bytes) noexcept {
    if (!simulated_driver::is_inside()) ++count;
    return std::malloc(bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
    if (void* memory = allocate(bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}

namespace redtune::test {

std::uint64_t allocations() noexcept {
    return count;
}

}  // namespace redtune::test
