#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "redtune/call_status.h"
#include "tuner/gpu/driver.h"

namespace redtune::runtime {

/// The workspaces of one reducer: one for each stream, and one for each call that a graph records.
///
/// The device memory is allocated once. acquire() takes no lock and allocates nothing, except while a stream is
/// captured: then it makes a user object, whose destructor returns the workspace to the pool when the graph and its
/// instances are destroyed. Thread-safe.
class WorkspacePool {
  public:
    /// Allocates `count` workspaces of `bytes` in the current context and sets the first `zeroed_bytes` of each to
    /// zero.
    /// @param kernels what else the calls need when they run; kept as long as the memory
    /// @throws DeviceError
    WorkspacePool(std::uint64_t bytes, std::uint64_t zeroed_bytes, std::uint32_t count,
                  std::shared_ptr<const void> kernels);
    /// Frees the memory and the kernels, or leaves them to the last graph that uses them (see FreedLater).
    ~WorkspacePool();
    WorkspacePool(const WorkspacePool&) = delete;
    WorkspacePool& operator=(const WorkspacePool&) = delete;

    /// A workspace, or the reason why there is none.
    struct Piece {
        CallStatus status = CallStatus::ok;
        std::uint32_t index = 0;
        CUdeviceptr address = 0;
    };

    /// Returns the workspace for a call in a stream of the current context. Enqueues its zeroing in the stream if an
    /// earlier call was aborted.
    Piece acquire(CUstream stream) noexcept;

    /// Sets the zeroed part of a workspace to zero, in stream order, after a call that was enqueued in part only.
    void repair(const Piece& piece, CUstream stream) noexcept;

    /// Returns a stream's workspace to the pool. No call that uses it may be pending.
    void release(CUstream stream) noexcept;

  private:
    struct Memory;

    Piece piece_at(std::uint32_t index, CUstream stream) noexcept;
    Piece acquire_for_stream(CUstream stream) noexcept;
    Piece acquire_for_capture(CUstream stream) noexcept;

    std::shared_ptr<Memory> memory_;
};

}  // namespace redtune::runtime
