#include "python/src/reducers.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tuner/gpu/driver.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

/// A number of reducers, with the bytes of their workspaces.
struct Amount {
    std::size_t reducers = 0;
    std::uint64_t bytes = 0;

    bool is_below(const Amount& limit) const noexcept { return reducers < limit.reducers && bytes < limit.bytes; }
};

// The limits on the idle reducers of a context. If a new reducer would reach most_idle, reducers are freed until the
// rest is below left_idle, three quarters of it. Freeing waits for the device, so several are freed at once: a program
// with ever new shapes then waits at few of its calls.
constexpr Amount most_idle = {256, std::uint64_t{1} << 30};
constexpr Amount left_idle = {most_idle.reducers / 4 * 3 + 1, most_idle.bytes / 4 * 3};

struct Key {
    CUcontext context;
    Problem problem;
    std::uint64_t matrices;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
        const Problem& problem = key.problem;
        std::uint64_t mixed = std::hash<std::string>()(problem.op) ^ reinterpret_cast<std::uintptr_t>(key.context);
        const auto types =
            static_cast<std::uint64_t>(problem.input) << 24 | static_cast<std::uint64_t>(problem.accumulator) << 16 |
            static_cast<std::uint64_t>(problem.output) << 8 | static_cast<std::uint64_t>(problem.determinism);
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: spreads neighbouring numbers
        mixed = (mixed ^ types) * odd;
        mixed = (mixed ^ problem.row_length) * odd;
        mixed = (mixed ^ key.matrices) * odd;
        return static_cast<std::size_t>((mixed ^ problem.columns) * odd);
    }
};

using Reducers = std::unordered_map<Key, std::unique_ptr<CachedReducer>, KeyHash>;

/// Never destroyed: when static objects are, the driver may be gone.
Reducers& reducers() {
    static auto* all = new Reducers;
    return *all;
}

bool is_idle(const CachedReducer& cached) noexcept {
    return cached.calls == 0 && !cached.has_recorded_calls;
}

std::uint64_t pool_bytes(const CachedReducer& cached) noexcept {
    return std::uint64_t{ReducerOptions().workspaces} * cached.reducer.workspace_bytes();
}

/// Returns the last use of the latest used reducer of a context that has to be freed, before which all are; 0: none has
/// to be.
std::uint64_t last_use_to_free(CUcontext context) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> idle;  // last use and bytes
    Amount amount;
    for (const auto& [key, cached] : reducers()) {
        if (key.context != context || !is_idle(*cached)) continue;
        idle.emplace_back(cached->last_use, pool_bytes(*cached));
        ++amount.reducers;
        amount.bytes += idle.back().second;
    }
    if (amount.is_below(most_idle)) return 0;
    std::sort(idle.begin(), idle.end());
    std::size_t freed = 0;
    while (freed < idle.size() && !amount.is_below(left_idle)) {
        --amount.reducers;
        amount.bytes -= idle[freed++].second;
    }
    return idle[freed - 1].first;
}

/// Frees the reducers of the current context that have not been used for the longest time, if there are too many. If
/// the driver refuses to wait for them, because another stream of the context is being captured, frees none: the next
/// new reducer tries again.
void free_least_recently_used(CUcontext context) {
    const std::uint64_t last_use = last_use_to_free(context);
    if (last_use == 0) return;
    CUresult waited = CUDA_SUCCESS;
    {
        const nb::gil_scoped_release released;
        waited = gpu::Driver::get().cuCtxSynchronize();
    }
    if (waited != CUDA_SUCCESS) return;
    // A reducer that another thread has used meanwhile has a later last use.
    std::erase_if(reducers(), [&](const auto& entry) {
        return entry.first.context == context && is_idle(*entry.second) && entry.second->last_use <= last_use;
    });
}

}  // namespace

ReducerUse::ReducerUse(CachedReducer* reducer) noexcept : reducer_(reducer) {
    if (reducer_ != nullptr) ++reducer_->calls;
}

ReducerUse::~ReducerUse() {
    static std::uint64_t uses = 0;
    if (reducer_ == nullptr) return;
    --reducer_->calls;
    reducer_->last_use = ++uses;
}

ReducerUse reducer_for(CUcontext context, const Problem& problem, std::uint64_t outer, Stream stream) {
    // One reducer serves up to twice as many matrices, so that a changing batch size makes few reducers.
    const Key key{context, problem, problem.columns > 0 ? std::bit_floor(outer) : 1};
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    gpu::check(gpu::Driver::get().cuStreamIsCapturing(stream, &capture), "ask whether the stream is being captured");
    const bool is_captured = capture != CU_STREAM_CAPTURE_STATUS_NONE;
    if (const auto found = reducers().find(key); found != reducers().end()) {
        found->second->has_recorded_calls |= is_captured;
        return ReducerUse(found->second.get());
    }
    if (is_captured) return ReducerUse(nullptr);
    free_least_recently_used(context);
    ReducerOptions options;
    options.matrices = key.matrices;
    return ReducerUse(reducers().emplace(key, std::make_unique<CachedReducer>(problem, options)).first->second.get());
}

std::size_t reducer_count() noexcept {
    return reducers().size();
}

void clear_reducers() {
    if (reducers().empty()) return;
    const gpu::Driver& driver = gpu::Driver::get();
    CUcontext previous = nullptr;
    gpu::check(driver.cuCtxGetCurrent(&previous), "ask for the current context");
    while (!reducers().empty()) {
        const CUcontext context = reducers().begin()->first.context;
        gpu::check(driver.cuCtxSetCurrent(context), "make a context current");
        gpu::check(driver.cuCtxSynchronize(), "wait for the reductions of a context");
        std::erase_if(reducers(), [&](const auto& entry) { return entry.first.context == context; });
    }
    gpu::check(driver.cuCtxSetCurrent(previous), "make the previous context current");
}

}  // namespace redtune::python
