// Entry points for streams, events, captures and graphs.
#include "tests/simulated_driver/state.h"

// cuda.h of CUDA 13 maps it to a later version, which redtune does not use.
#undef cuEventElapsedTime

using simulated_driver::Call;
using simulated_driver::find_stream;
using simulated_driver::Graph;
using simulated_driver::state;
using simulated_driver::Stream;
using simulated_driver::UserObject;

extern "C" {

CUresult cuStreamCreate(CUstream* handle, unsigned) {
    const Call call;
    auto stream = std::make_unique<Stream>();
    stream->id = state().next_stream_id++;
    *handle = reinterpret_cast<CUstream>(stream.get());
    state().streams[stream.get()] = std::move(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream handle) {
    const Call call;
    const auto found = state().streams.find(handle);
    if (found == state().streams.end()) return CUDA_ERROR_INVALID_HANDLE;
    state().destroyed_streams.push_back(std::move(found->second));
    state().streams.erase(found);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle) {
    const Call call;
    Stream* stream = find_stream(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    ++state().counts.synchronisations;
    if (stream->captured != nullptr) {
        stream->captured->is_invalid = true;
        simulated_driver::violation("cuStreamSynchronize breaks a capture");
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    stream->completed = stream->submitted;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream handle, unsigned long long* id) {
    const Call call;
    Stream* stream = find_stream(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->captured != nullptr) {
        stream->captured->is_invalid = true;
        simulated_driver::violation("cuStreamGetId breaks a capture");
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    *id = stream->id;
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
    const Call call;
    const Stream* stream = find_stream(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *status = stream->captured == nullptr    ? CU_STREAM_CAPTURE_STATUS_NONE
              : stream->captured->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                             : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode**, size_t*) {
    const Call call;
    const CUresult result = cuStreamIsCapturing(handle, status);
    if (result != CUDA_SUCCESS || *status == CU_STREAM_CAPTURE_STATUS_NONE) return result;
    Graph* captured = find_stream(handle)->captured.get();
    if (id != nullptr) *id = reinterpret_cast<cuuint64_t>(captured);
    if (graph != nullptr) *graph = reinterpret_cast<CUgraph>(captured);
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
    const Call call;
    Stream* stream = find_stream(handle);
    if (stream == nullptr || stream->captured != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    stream->captured = std::make_unique<Graph>();
    stream->captured->mode = mode;
    return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph* graph) {
    const Call call;
    Stream* stream = find_stream(handle);
    if (stream == nullptr || stream->captured == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    std::unique_ptr<Graph> captured = std::move(stream->captured);
    if (captured->is_invalid) {
        simulated_driver::release(captured->retained);
        *graph = nullptr;
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    *graph = reinterpret_cast<CUgraph>(captured.get());
    state().graphs[captured.get()] = std::move(captured);
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
    const Call call;
    const auto found = state().graphs.find(graph);
    if (found == state().graphs.end()) return CUDA_ERROR_INVALID_VALUE;
    auto copy = std::make_unique<Graph>(*found->second);
    for (auto& [object, references] : copy->retained) object->references += references;
    *executable = reinterpret_cast<CUgraphExec>(copy.get());
    state().executables[copy.get()] = std::move(copy);
    return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream handle) {
    const Call call;
    Stream* stream = find_stream(handle);
    const auto found = state().executables.find(executable);
    if (stream == nullptr || found == state().executables.end()) return CUDA_ERROR_INVALID_HANDLE;
    for (const simulated_driver::Work& work : found->second->work) {
        if (!work.is_memset && !state().modules.contains(work.module)) {
            simulated_driver::violation("a graph launched a kernel of a module that was unloaded");
        }
        if (const CUresult result = run(work, *stream, executable); result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
    const Call call;
    const auto found = state().graphs.find(graph);
    if (found == state().graphs.end()) return CUDA_ERROR_INVALID_VALUE;
    simulated_driver::release(found->second->retained);
    state().graphs.erase(found);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
    const Call call;
    const auto found = state().executables.find(executable);
    if (found == state().executables.end()) return CUDA_ERROR_INVALID_VALUE;
    simulated_driver::release(found->second->retained);
    state().executables.erase(found);
    return CUDA_SUCCESS;
}

CUresult cuUserObjectCreate(CUuserObject* handle, void* object, CUhostFn destructor, unsigned references, unsigned) {
    const Call call;
    *handle = reinterpret_cast<CUuserObject>(new UserObject{object, destructor, references});
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject handle, unsigned references) {
    const Call call;
    simulated_driver::release({{reinterpret_cast<UserObject*>(handle), references}});
    return CUDA_SUCCESS;
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject handle, unsigned references, unsigned flags) {
    const Call call;
    auto* object = reinterpret_cast<UserObject*>(handle);
    if ((flags & CU_GRAPH_USER_OBJECT_MOVE) == 0) object->references += references;
    reinterpret_cast<Graph*>(graph)->retained[object] += references;
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned) {
    *event = reinterpret_cast<CUevent>(new char);
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
    delete reinterpret_cast<char*>(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent, CUstream handle) {
    const Call call;
    return find_stream(handle) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// All work runs when it is submitted, so there is nothing to wait for.
CUresult cuStreamWaitEvent(CUstream handle, CUevent, unsigned) {
    const Call call;
    return find_stream(handle) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventRecordWithFlags(CUevent, CUstream, unsigned) {
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent) {
    const Call call;
    simulated_driver::break_captures("cuEventSynchronize");
    ++state().counts.synchronisations;
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
    *milliseconds = 0;
    return CUDA_SUCCESS;
}
}
