#include "tuner/runtime/workspace_pool.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "tuner/gpu/buffer.h"
#include "tuner/runtime/fail.h"

namespace redtune::runtime {

namespace {

// Owners of a workspace. Any other number is the id of a stream plus first_stream.
constexpr std::uint64_t nobody_yet = 0;  // never owned: a search for a stream's workspace ends here
constexpr std::uint64_t nobody = 1;
constexpr std::uint64_t a_graph = 2;
constexpr std::uint64_t first_stream = 3;

CallStatus fail_call(const char* what, CUresult result) noexcept {
    const char* name = nullptr;
    gpu::Driver::get().cuGetErrorName(result, &name);
    try {
        return fail(CallStatus::device_error, std::string("cannot ") + what + ": " + (name != nullptr ? name : "?"));
    } catch (...) {
        return fail(CallStatus::device_error, what);
    }
}

}  // namespace

/// The device memory of a pool, the owners of its workspaces, and the kernels of the calls. Graphs that recorded calls
/// share it with the pool.
struct WorkspacePool::Memory {
    Memory(std::uint64_t workspace_bytes, std::uint64_t workspace_zeroed_bytes, std::uint32_t count,
           std::shared_ptr<const void> used_kernels)
        : kernels(std::move(used_kernels)),
          bytes(workspace_bytes),
          zeroed_bytes(workspace_zeroed_bytes),
          buffer(workspace_bytes * count),
          pieces(count) {}

    /// Gives a workspace without an owner to `owner`. Returns whether it had none.
    bool take(std::uint32_t index, std::uint64_t owner) noexcept {
        std::uint64_t current = pieces[index].owner.load(std::memory_order_acquire);
        return (current == nobody_yet || current == nobody) &&
               pieces[index].owner.compare_exchange_strong(current, owner, std::memory_order_acq_rel);
    }

    struct Piece {
        std::atomic<std::uint64_t> owner{nobody_yet};
        std::atomic<bool> must_be_zeroed{false};
    };

    std::shared_ptr<const void> kernels;
    std::uint64_t bytes;
    std::uint64_t zeroed_bytes;
    gpu::DeviceBuffer buffer;
    std::vector<Piece> pieces;
};

namespace {

/// The memory and kernels of pools that were destroyed while graphs still used them. The destructor of a graph's user
/// object must not call CUDA, so it cannot free them; the next pool that is made or destroyed does.
class FreedLater {
  public:
    static FreedLater& of_process() {
        static FreedLater* instance = new FreedLater;  // never destroyed: graphs may outlive static objects
        return *instance;
    }

    void add(std::shared_ptr<const void> memory) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(memory));
    }

    /// Frees what no graph uses any more. The current context may be any.
    void free_unused() {
        std::vector<std::shared_ptr<const void>> unused;
        const std::lock_guard lock(mutex_);
        const auto first =
            std::partition(waiting_.begin(), waiting_.end(), [](const auto& memory) { return memory.use_count() > 1; });
        std::move(first, waiting_.end(), std::back_inserter(unused));
        waiting_.erase(first, waiting_.end());
    }

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<const void>> waiting_;
};

}  // namespace

WorkspacePool::WorkspacePool(std::uint64_t bytes, std::uint64_t zeroed_bytes, std::uint32_t count,
                             std::shared_ptr<const void> kernels) {
    FreedLater::of_process().free_unused();
    memory_ = std::make_shared<Memory>(bytes, zeroed_bytes, count, std::move(kernels));
    if (count > 0) memory_->buffer.fill(0);
}

WorkspacePool::~WorkspacePool() {
    FreedLater::of_process().add(std::move(memory_));
    FreedLater::of_process().free_unused();
}

WorkspacePool::Piece WorkspacePool::acquire(CUstream stream) noexcept {
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    // Asked first, because cuStreamGetId of a captured stream would break the capture.
    const CUresult result = gpu::Driver::get().cuStreamIsCapturing(stream, &capture);
    if (result != CUDA_SUCCESS) return {fail_call("ask whether the stream is captured", result), 0, 0};
    return capture == CU_STREAM_CAPTURE_STATUS_NONE ? acquire_for_stream(stream) : acquire_for_capture(stream);
}

WorkspacePool::Piece WorkspacePool::piece_at(std::uint32_t index, CUstream stream) noexcept {
    const Piece piece{CallStatus::ok, index, memory_->buffer.address() + index * memory_->bytes};
    if (memory_->pieces[index].must_be_zeroed.load(std::memory_order_relaxed)) repair(piece, stream);
    return piece;
}

WorkspacePool::Piece WorkspacePool::acquire_for_stream(CUstream stream) noexcept {
    unsigned long long id = 0;
    const CUresult result = gpu::Driver::get().cuStreamGetId(stream, &id);
    if (result != CUDA_SUCCESS) return {fail_call("ask for the stream's id", result), 0, 0};
    const std::uint64_t owner = id + first_stream;
    const auto count = static_cast<std::uint32_t>(memory_->pieces.size());
    // Open addressing: the search for a stream begins where its id says, and ends at a workspace that nobody ever
    // owned.
    for (std::uint32_t step = 0; step < count; ++step) {
        const auto index = static_cast<std::uint32_t>((id + step) % count);
        const std::uint64_t current = memory_->pieces[index].owner.load(std::memory_order_acquire);
        if (current == owner) return piece_at(index, stream);
        if (current == nobody_yet) break;
    }
    for (std::uint32_t step = 0; step < count; ++step) {
        const auto index = static_cast<std::uint32_t>((id + step) % count);
        if (memory_->take(index, owner)) return piece_at(index, stream);
    }
    return {
        fail(CallStatus::out_of_workspaces,
             "every workspace of the reducer belongs to a stream or a graph; give ReducerOptions::workspaces a larger "
             "number, release() streams before you destroy them, or pass a workspace of your own"),
        0, 0};
}

WorkspacePool::Piece WorkspacePool::acquire_for_capture(CUstream stream) noexcept {
    const gpu::Driver& driver = gpu::Driver::get();
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph graph = nullptr;
    CUresult result = driver.cuStreamGetCaptureInfo_v2(stream, &capture, nullptr, &graph, nullptr, nullptr);
    if (result == CUDA_SUCCESS && capture != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if (result != CUDA_SUCCESS) return {fail_call("ask for the graph that the stream records", result), 0, 0};
    // The search begins at the end, so that graphs and streams take the same workspaces only if few are left.
    std::uint32_t index = static_cast<std::uint32_t>(memory_->pieces.size());
    while (index > 0 && !memory_->take(index - 1, a_graph)) --index;
    if (index == 0) {
        return {
            fail(CallStatus::out_of_workspaces,
                 "every workspace of the reducer belongs to a stream or a graph; each recorded call needs one: give "
                 "ReducerOptions::workspaces a larger number, or pass a workspace of your own"),
            0, 0};
    }
    --index;

    struct Use {
        std::shared_ptr<Memory> memory;
        std::uint32_t index;
    };
    const auto end_use = [](void* object) {
        const std::unique_ptr<Use> use(static_cast<Use*>(object));
        use->memory->pieces[use->index].owner.store(nobody, std::memory_order_release);
    };
    auto* use = new (std::nothrow) Use{memory_, index};
    CUuserObject object = nullptr;
    result = use == nullptr ? CUDA_ERROR_OUT_OF_MEMORY
                            : driver.cuUserObjectCreate(&object, use, end_use, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    if (result != CUDA_SUCCESS) {
        delete use;
        memory_->pieces[index].owner.store(nobody, std::memory_order_release);
        return {fail_call("make a user object for the graph", result), 0, 0};
    }
    result = driver.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
    if (result != CUDA_SUCCESS) {
        driver.cuUserObjectRelease(object, 1);
        return {fail_call("give the graph its workspace", result), 0, 0};
    }
    return piece_at(index, stream);
}

void WorkspacePool::repair(const Piece& piece, CUstream stream) noexcept {
    const CUresult result = gpu::Driver::get().cuMemsetD8Async(piece.address, 0, memory_->zeroed_bytes, stream);
    memory_->pieces[piece.index].must_be_zeroed.store(result != CUDA_SUCCESS, std::memory_order_relaxed);
}

void WorkspacePool::release(CUstream stream) noexcept {
    unsigned long long id = 0;
    if (gpu::Driver::get().cuStreamGetId(stream, &id) != CUDA_SUCCESS) return;
    for (Memory::Piece& piece : memory_->pieces) {
        std::uint64_t owner = id + first_stream;
        piece.owner.compare_exchange_strong(owner, nobody, std::memory_order_acq_rel);
    }
}

}  // namespace redtune::runtime
