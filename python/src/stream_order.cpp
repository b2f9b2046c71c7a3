#include "python/src/stream_order.h"

#include "tuner/gpu/driver.h"

namespace redtune::python {

namespace {

/// Returns the handle of a stream, with one handle for the legacy default stream, which has two.
Stream canonical(Stream stream) {
    return stream == CU_STREAM_LEGACY ? nullptr : stream;
}

}  // namespace

void wait_for(std::optional<Stream> producer, Stream stream) {
    if (!producer || canonical(*producer) == canonical(stream)) return;
    const gpu::Driver& driver = gpu::Driver::get();
    CUevent event = nullptr;
    gpu::check(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "make an event");
    CUresult result = driver.cuEventRecord(event, *producer);
    if (result == CUDA_SUCCESS) result = driver.cuStreamWaitEvent(stream, event, 0);
    // The driver frees the event when the wait is over.
    const CUresult destroyed = driver.cuEventDestroy_v2(event);
    gpu::check(result != CUDA_SUCCESS ? result : destroyed, "let the stream wait for the array's stream");
}

}  // namespace redtune::python
