// Stacks for fibers, kept for the next launch, and fibers that can be left where they are.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstdint>
#include <new>
#include <utility>

namespace emulator {

/// 64 KiB above a guard page, from a pool that only grows.
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

/// A fiber on a stack that the caller owns. The destructor of a suspended boost fiber unwinds it with an exception;
/// device code cannot be unwound from a load or store, so a fiber of an abandoned launch is forgotten instead.
class ReusableFiber {
  public:
    template <class Body>
    void start(const FiberStack& stack, std::uint32_t colour, Body body) {
        // Stacks that begin at equal offsets would share the same few lines of the caches.
        const std::size_t used = FiberStack::bytes - colour % 32 * 192;
        boost::context::stack_context context;
        context.size = used;
        context.sp = reinterpret_cast<void*>(stack.begin() + used);
        const boost::context::preallocated place(context.sp, used, context);
        new (storage_) boost::context::fiber(std::allocator_arg, place, LeaveStack{}, std::move(body));
    }
    /// Runs it until it switches back.
    void resume() { fiber() = std::move(fiber()).resume(); }

  private:
    struct LeaveStack {
        void deallocate(boost::context::stack_context&) {}
    };
    boost::context::fiber& fiber() { return *std::launder(reinterpret_cast<boost::context::fiber*>(storage_)); }

    alignas(boost::context::fiber) std::byte storage_[sizeof(boost::context::fiber)];
};

}  // namespace emulator
