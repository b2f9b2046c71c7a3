#include "tuner/gpu/stream.h"

namespace redtune::gpu {

Stream::Stream() {
    check(Driver::get().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "create a stream");
}

Stream::~Stream() {
    Driver::get().cuStreamDestroy(stream_);
}

void Stream::synchronize() const {
    gpu::synchronize(stream_);
}

void synchronize(CUstream stream) {
    check(Driver::get().cuStreamSynchronize(stream), "finish a stream's work");
}

Event::Event() {
    check(Driver::get().cuEventCreate(&event_, CU_EVENT_DEFAULT), "create an event");
}

Event::~Event() {
    Driver::get().cuEventDestroy(event_);
}

void Event::record(CUstream stream) {
    check(Driver::get().cuEventRecord(event_, stream), "record an event");
}

void Event::synchronize() const {
    check(Driver::get().cuEventSynchronize(event_), "wait for an event");
}

double elapsed_us(const Event& start, const Event& end) {
    float milliseconds = 0;
    check(Driver::get().cuEventElapsedTime(&milliseconds, start.handle(), end.handle()),
          "take the time between two events");
    return static_cast<double>(milliseconds) * 1000;
}

}  // namespace redtune::gpu
