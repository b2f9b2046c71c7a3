// The functions of redtune.h. No exception leaves them.
#include "redtune.h"
#include "redtune/reducer.h"
#include "redtune/version.h"
#include "tuner/runtime/c_errors.h"
#include "tuner/runtime/c_structs.h"

struct redtune_reducer {
    redtune::Reducer reducer;
};

namespace {

using redtune::CallStatus;

static_assert(static_cast<int>(CallStatus::invalid_argument) == REDTUNE_INVALID_ARGUMENT);
static_assert(static_cast<int>(CallStatus::no_configuration) == REDTUNE_NO_CONFIGURATION);
static_assert(static_cast<int>(CallStatus::not_prepared) == REDTUNE_NOT_PREPARED);
static_assert(static_cast<int>(CallStatus::workspace_too_small) == REDTUNE_WORKSPACE_TOO_SMALL);
static_assert(static_cast<int>(CallStatus::out_of_workspaces) == REDTUNE_OUT_OF_WORKSPACES);
static_assert(static_cast<int>(CallStatus::wrong_context) == REDTUNE_WRONG_CONTEXT);
static_assert(static_cast<int>(CallStatus::kernel_unavailable) == REDTUNE_KERNEL_UNAVAILABLE);
static_assert(static_cast<int>(CallStatus::device_error) == REDTUNE_DEVICE_ERROR);

using redtune::runtime::fail_in_c;
using redtune::runtime::guarded;
using redtune::runtime::problem_of;
using redtune::runtime::read_sized;

redtune::ReducerOptions options_of(const redtune_options& given) {
    redtune::ReducerOptions options;
    if (given.workspaces != 0) options.workspaces = given.workspaces;
    if (given.no_pool != 0) options.workspaces = 0;
    if (given.max_workspace_bytes != 0) options.select.max_workspace_bytes = given.max_workspace_bytes;
    if (given.matrices != 0) options.matrices = given.matrices;
    options.select.allow_pdl = given.no_pdl == 0;
    options.select.allow_forward_progress = given.no_forward_progress == 0;
    return options;
}

redtune_status status_of(CallStatus status) noexcept {
    return static_cast<redtune_status>(status);
}

}  // namespace

extern "C" {

const char* redtune_version(void) {
    return REDTUNE_VERSION;
}

const char* redtune_status_name(redtune_status status) {
    switch (status) {
        case REDTUNE_DATABASE_ERROR:
            return "database_error";
        case REDTUNE_FAILED:
            return "failed";
        default:
            return redtune::to_string(static_cast<CallStatus>(status)).data();
    }
}

const char* redtune_last_error(void) {
    return redtune::last_error().data();
}

redtune_status redtune_reducer_create(const redtune_problem* problem, const redtune_options* options,
                                      redtune_reducer** reducer) {
    return guarded([&] {
        if (reducer == nullptr)
            return fail_in_c(REDTUNE_INVALID_ARGUMENT, "the pointer that receives the reducer is NULL");
        *reducer = nullptr;
        if (problem == nullptr) return fail_in_c(REDTUNE_INVALID_ARGUMENT, "the problem is NULL");
        redtune_options given = {};
        if (options != nullptr) given = read_sized(*options, "redtune_options");
        const redtune_problem wanted = read_sized(*problem, "redtune_problem");
        redtune::ReducerOptions all = options_of(given);
        if (wanted.operator_file != nullptr) all.operator_file = wanted.operator_file;
        if (wanted.operator_source != nullptr) all.operator_source = wanted.operator_source;
        *reducer = new redtune_reducer{redtune::Reducer(problem_of(wanted), all)};
        return REDTUNE_OK;
    });
}

void redtune_reducer_destroy(redtune_reducer* reducer) {
    delete reducer;
}

redtune_status redtune_prepare(redtune_reducer* reducer, uint64_t first, uint64_t last) {
    return guarded([&] {
        reducer->reducer.prepare(first, last);
        return REDTUNE_OK;
    });
}

redtune_status redtune_prepare_device_count(redtune_reducer* reducer, uint64_t most) {
    return guarded([&] {
        reducer->reducer.prepare_device_count(most);
        return REDTUNE_OK;
    });
}

redtune_status redtune_reduce(redtune_reducer* reducer, const void* input, const void* second, uint64_t n, void* output,
                              struct CUstream_st* stream) {
    return status_of(reducer->reducer.reduce({input, second}, n, output, stream));
}

redtune_status redtune_reduce_in(redtune_reducer* reducer, const void* input, const void* second, uint64_t n,
                                 void* output, struct CUstream_st* stream, void* workspace, size_t workspace_bytes) {
    return status_of(reducer->reducer.reduce({input, second}, n, output, stream, {workspace, workspace_bytes}));
}

redtune_status redtune_reduce_extents(redtune_reducer* reducer, const void* input, const void* second, uint64_t outer,
                                      uint64_t reduced, uint64_t inner, void* output, struct CUstream_st* stream) {
    return status_of(reducer->reducer.reduce({input, second}, redtune::Extents{outer, reduced, inner}, output, stream));
}

redtune_status redtune_reduce_extents_in(redtune_reducer* reducer, const void* input, const void* second,
                                         uint64_t outer, uint64_t reduced, uint64_t inner, void* output,
                                         struct CUstream_st* stream, void* workspace, size_t workspace_bytes) {
    return status_of(reducer->reducer.reduce({input, second}, redtune::Extents{outer, reduced, inner}, output, stream,
                                             {workspace, workspace_bytes}));
}

redtune_status redtune_reduce_device_count(redtune_reducer* reducer, const void* input, const void* second,
                                           const uint64_t* n, uint64_t most, void* output, struct CUstream_st* stream) {
    return status_of(reducer->reducer.reduce({input, second}, redtune::DeviceCount{n, most}, output, stream));
}

redtune_status redtune_reduce_device_count_in(redtune_reducer* reducer, const void* input, const void* second,
                                              const uint64_t* n, uint64_t most, void* output,
                                              struct CUstream_st* stream, void* workspace, size_t workspace_bytes) {
    return status_of(reducer->reducer.reduce({input, second}, redtune::DeviceCount{n, most}, output, stream,
                                             {workspace, workspace_bytes}));
}

size_t redtune_workspace_bytes(const redtune_reducer* reducer) {
    return reducer->reducer.workspace_bytes();
}

size_t redtune_workspace_zeroed_bytes(const redtune_reducer* reducer) {
    return reducer->reducer.workspace_zeroed_bytes();
}

void redtune_release(redtune_reducer* reducer, struct CUstream_st* stream) {
    reducer->reducer.release(stream);
}
}
