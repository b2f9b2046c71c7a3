// Fibers that can be abandoned, and their stacks, which later launches reuse.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstdint>
#include <new>
#include <utility>

namespace emulator {

/// A stack of 64 KiB above a guard page, from a pool that never shrinks.
class FiberStack {
  public:
    static constexpr std::size_t bytes = 64 * 1024;

    FiberStack();
    ~FiberStack();
    FiberStack(const FiberStack&) = delete;
    FiberStack& operator=(const FiberStack&) = delete;

    std::uintptr_t begin() const { return begin_; }
    std::uintptr_t end() const { return begin_ + bytes; }

  private:
    std::uintptr_t begin_;
};

/// A fiber on a stack that the caller owns. If a launch is abandoned, its suspended fibers are never destroyed: the
/// destructor of a boost fiber would unwind the fiber with an exception, which cannot pass through a load or store of
/// device code.
class ReusableFiber {
  public:
    template <class Body>
    void start(const FiberStack& stack, std::uint32_t colour, Body body) {
        // Fibers start at different offsets in their stacks; at equal offsets they would compete for the same cache
        // sets.
        const std::size_t used = FiberStack::bytes - colour % 32 * 192;
        boost::context::stack_context context;
        context.size = used;
        context.sp = reinterpret_cast<void*>(stack.begin() + used);
        const boost::context::preallocated place(context.sp, used, context);
        new (storage_) boost::context::fiber(std::allocator_arg, place, LeaveStack{}, std::move(body));
    }
    /// Runs the fiber until it switches back.
    void resume() { fiber() = std::move(fiber()).resume(); }

  private:
    struct LeaveStack {
        void deallocate(boost::context::stack_context&) {}
    };
    boost::context::fiber& fiber() { return *std::launder(reinterpret_cast<boost::context::fiber*>(storage_)); }

    alignas(boost::context::fiber) std::byte storage_[sizeof(boost::context::fiber)];
};

}  // namespace emulator
