#include "python/src/reducers.h"

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <unordered_map>

#include "tuner/gpu/driver.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

struct Key {
    CUcontext context;
    Problem problem;

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
        return static_cast<std::size_t>((mixed ^ problem.row_length) * odd);
    }
};

using Reducers = std::unordered_map<Key, std::unique_ptr<CachedReducer>, KeyHash>;

/// Never destroyed: when static objects are, the driver may be gone.
Reducers& reducers() {
    static auto* all = new Reducers;
    return *all;
}

}  // namespace

CachedReducer* reducer_for(CUcontext context, const Problem& problem, Stream stream) {
    const Key key{context, problem};
    if (const auto found = reducers().find(key); found != reducers().end()) return found->second.get();
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    gpu::check(gpu::Driver::get().cuStreamIsCapturing(stream, &capture), "ask whether the stream is being captured");
    if (capture != CU_STREAM_CAPTURE_STATUS_NONE) return nullptr;
    if (reducers().empty()) nb::module_::import_("redtune._nvrtc").attr("hand_over")();
    return reducers().emplace(key, std::make_unique<CachedReducer>(problem)).first->second.get();
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
