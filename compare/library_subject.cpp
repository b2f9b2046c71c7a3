#include "compare/library_subject.h"

#include "redtune/error.h"

namespace redtune::compare {

timing::Subject library_subject(Reducer& reducer, std::uint64_t n) {
    reducer.prepare(n);
    timing::Subject subject;
    subject.is_judged = false;
    subject.plan.workspace_bytes = reducer.workspace_bytes();
    subject.plan.zeroed_bytes = reducer.workspace_zeroed_bytes();
    subject.enqueue = [&reducer, n](std::uint32_t, const timing::CallBuffers& buffers, CUstream stream) {
        const auto pointer = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };
        const CallStatus status =
            reducer.reduce({pointer(buffers.input.first), pointer(buffers.input.second)}, n, pointer(buffers.output),
                           stream, {pointer(buffers.workspace), reducer.workspace_bytes()});
        if (status != CallStatus::ok) throw Error(std::string(last_error()));
    };
    return subject;
}

}  // namespace redtune::compare
