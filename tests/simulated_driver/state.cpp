#include "tests/simulated_driver/state.h"

namespace simulated_driver {

namespace {

thread_local int depth = 0;
thread_local bool in_destructor = false;
thread_local int device = -1;
thread_local std::vector<UserObject*> dying;
thread_local const char per_thread_stream = 0;

void destroy(UserObject* object) {
    in_destructor = true;
    object->destructor(object->object);
    in_destructor = false;
    delete object;
}

}  // namespace

State& state() {
    static State* instance = new State;  // never destroyed: threads may call until the program ends
    return *instance;
}

void violation(const std::string& text) {
    state().violations.push_back(text);
}

Call::Call() : lock_(state().mutex) {
    ++depth;
    if (in_destructor) violation("a call of the driver from the destructor of a user object");
}

Call::~Call() {
    std::vector<UserObject*> ready;
    if (depth == 1) ready.swap(dying);
    lock_.unlock();
    for (UserObject* object : ready) destroy(object);
    --depth;
}

Stream* find_stream(CUstream handle) {
    const void* key = handle;
    if (handle == nullptr || handle == CU_STREAM_LEGACY) {
        static const char legacy[64] = {};
        key = &legacy[device < 0 ? 0 : device];
    } else if (handle == CU_STREAM_PER_THREAD) {
        key = &per_thread_stream;
    } else {
        const auto found = state().streams.find(key);
        return found == state().streams.end() ? nullptr : found->second.get();
    }
    std::unique_ptr<Stream>& stream = state().streams[key];
    if (stream == nullptr) {
        stream = std::make_unique<Stream>();
        stream->id = state().next_stream_id++;
    }
    return stream.get();
}

int& current_device() {
    return device;
}

void break_captures(const char* call) {
    for (auto& [handle, stream] : state().streams) {
        if (stream->captured == nullptr || stream->captured->mode == CU_STREAM_CAPTURE_MODE_RELAXED) continue;
        stream->captured->is_invalid = true;
        violation(std::string(call) + " breaks a capture");
    }
}

void release(const std::map<UserObject*, unsigned>& retained) {
    for (const auto& [object, references] : retained) {
        object->references -= references;
        if (object->references == 0) dying.push_back(object);
    }
}

void reset() {
    const Call call;
    State& all = state();
    all.device_count = 1;
    all.model = {};
    all.counts = {};
    all.violations.clear();
    all.launches_before_failure.reset();
    all.memory.clear();
    all.streams.clear();
    all.destroyed_streams.clear();
    all.graphs.clear();
    all.executables.clear();
    all.workspaces.clear();
}

void set_device_model(const DeviceModel& model) {
    const Call call;
    state().model = model;
}

void set_device_count(int devices) {
    const Call call;
    state().device_count = devices;
}

void fail_after(std::uint64_t launches) {
    const Call call;
    state().launches_before_failure = launches;
}

Counts counts() {
    const Call call;
    return state().counts;
}

std::vector<std::string> violations() {
    const Call call;
    return state().violations;
}

bool is_inside() noexcept {
    return depth > 0;
}

}  // namespace simulated_driver

extern "C" const char* simulated_driver_last_violation() {
    thread_local std::string last;
    const std::vector<std::string> all = simulated_driver::violations();
    last = all.empty() ? "" : all.back();
    return last.c_str();
}

extern "C" std::uint64_t simulated_driver_workspaces_freed_in_use() {
    return simulated_driver::counts().workspaces_freed_in_use;
}
