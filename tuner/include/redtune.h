/// The C interface of redtune: reductions on one GPU.
///
///     redtune_problem problem = {sizeof problem};
///     problem.op = "sum";
///     problem.dtype = "f32";
///     redtune_reducer* sum = NULL;
///     if (redtune_reducer_create(&problem, NULL, &sum) != REDTUNE_OK) { fputs(redtune_last_error(), stderr); ... }
///     redtune_prepare(sum, n, n);
///     redtune_reduce(sum, input, NULL, n, output, stream);
///     redtune_reducer_destroy(sum);
///
/// Threads: any number of threads may call redtune_reduce() and redtune_reduce_in() on one reducer at once, and any
/// function on different reducers. redtune_last_error() is that of the calling thread.
///
/// Structs that are passed in begin with their size, so that a later version can add members: set `size` to sizeof, and
/// every member that you do not use to zero.
///
/// redtune/reducer.h says what the functions do to the device, to streams, captures and workspaces; it is the same
/// here.
#ifndef REDTUNE_H
#define REDTUNE_H

#include <stddef.h>
#include <stdint.h>

#include "redtune/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A CUDA stream: cudaStream_t and CUstream are pointers to it.
struct CUstream_st;

/// The result of a function. Values keep their meaning; later versions may add some.
typedef enum redtune_status {
    REDTUNE_OK = 0,
    REDTUNE_INVALID_ARGUMENT = 1,     ///< a null or unaligned pointer, a wrong name, an n that the problem has not
    REDTUNE_NO_CONFIGURATION = 2,     ///< no kernel can reduce this n on this device within the options
    REDTUNE_NOT_PREPARED = 3,         ///< the stream is being captured, and the kernel for this n is not loaded
    REDTUNE_WORKSPACE_TOO_SMALL = 4,  ///< the caller's workspace has fewer than redtune_workspace_bytes()
    REDTUNE_OUT_OF_WORKSPACES = 5,    ///< all workspaces of the pool are in use
    REDTUNE_WRONG_CONTEXT = 6,        ///< the current CUDA context is not the one that the reducer was made in
    REDTUNE_KERNEL_UNAVAILABLE = 7,   ///< a kernel could not be compiled or loaded
    REDTUNE_DEVICE_ERROR = 8,         ///< there is no usable device, or the driver refused a call
    REDTUNE_DATABASE_ERROR = 9,       ///< a database of winners cannot be read
    REDTUNE_FAILED = 10               ///< something else, such as memory that ran out
} redtune_status;

/// A reduction on one device.
typedef struct redtune_reducer redtune_reducer;

/// A reduction without its size.
typedef struct redtune_problem {
    size_t size;                  ///< sizeof(redtune_problem)
    const char* op;               ///< name of the operator: "sum", "argmax"
    const char* dtype;            ///< type of the input's elements: "f32", "bf16", "i8"
    const char* accumulator;      ///< type of partial results; NULL: the operator's default
    const char* output;           ///< type of results; NULL: the operator's default
    uint64_t row_length;          ///< elements of a row, which has one result; 0: the problem has no rows
    int run_to_run;               ///< not 0: the same input gives the same bits at every call on one device
    const char* operator_file;    ///< file that defines an operator of your own, in place of `op`; NULL: none
    const char* operator_source;  ///< text that such a file would contain, in place of a file; NULL: none
    uint64_t columns;             ///< columns of a row-major matrix, each of which has one result; 0: no columns
} redtune_problem;

/// The options of a reducer; its problem is given apart.
typedef struct redtune_options {
    size_t size;                   ///< sizeof(redtune_options)
    uint32_t workspaces;           ///< number of workspaces in the pool; 0: 64
    int no_pool;                   ///< not 0: no pool; only redtune_reduce_in() can be called
    uint64_t max_workspace_bytes;  ///< largest workspace; 0: 1 MiB
    int no_pdl;                    ///< not 0: no programmatic dependent launches
    int no_forward_progress;       ///< not 0: no kernel in which a block waits for other blocks
    uint64_t
        matrices;  ///< with `columns`: about how many matrices a call reduces, which their configuration is for; 0: 1
} redtune_options;

/// Returns the version of the library, "0.1.0". The text is valid for ever.
REDTUNE_EXPORT const char* redtune_version(void);

/// Returns the name of a status, "not_prepared". The text is valid for ever.
REDTUNE_EXPORT const char* redtune_status_name(redtune_status status);

/// Returns the reason for the calling thread's last status that was not REDTUNE_OK; an empty text if there was none.
/// The text is valid until the thread's next such status.
REDTUNE_EXPORT const char* redtune_last_error(void);

/// Makes a reducer on the current CUDA context; if none is current, on the primary context of device 0, which becomes
/// current.
/// @param options NULL: all defaults
/// @param reducer receives the reducer; NULL after an error
REDTUNE_EXPORT redtune_status redtune_reducer_create(const redtune_problem* problem, const redtune_options* options,
                                                     redtune_reducer** reducer);

/// Destroys a reducer. No call of it may be running. NULL is allowed.
REDTUNE_EXPORT void redtune_reducer_destroy(redtune_reducer* reducer);

/// Compiles and loads the kernels for every n from `first` to `last`, so that no later call with such an n does.
REDTUNE_EXPORT redtune_status redtune_prepare(redtune_reducer* reducer, uint64_t first, uint64_t last);

/// Compiles and loads the kernels for calls of redtune_reduce_device_count() with this `most`.
REDTUNE_EXPORT redtune_status redtune_prepare_device_count(redtune_reducer* reducer, uint64_t most);

/// Enqueues the reduction of n elements in a stream, with a workspace of the pool.
/// @param input device memory of n elements
/// @param second the second array of operators over pairs such as dot; else NULL
/// @param output device memory for one result, or one for each row or column
/// @param stream NULL: the legacy default stream
REDTUNE_EXPORT redtune_status redtune_reduce(redtune_reducer* reducer, const void* input, const void* second,
                                             uint64_t n, void* output, struct CUstream_st* stream);

/// Enqueues the reduction with the caller's workspace: device memory aligned to 256 bytes, whose first
/// redtune_workspace_zeroed_bytes() were zero before its first call.
REDTUNE_EXPORT redtune_status redtune_reduce_in(redtune_reducer* reducer, const void* input, const void* second,
                                                uint64_t n, void* output, struct CUstream_st* stream, void* workspace,
                                                size_t workspace_bytes);

/// Enqueues the reduction of outer matrices of reduced x inner elements over their rows, with a workspace of the pool.
/// The array is contiguous and row-major, and inner is the problem's `columns`.
/// @param output device memory for outer * inner results
REDTUNE_EXPORT redtune_status redtune_reduce_extents(redtune_reducer* reducer, const void* input, const void* second,
                                                     uint64_t outer, uint64_t reduced, uint64_t inner, void* output,
                                                     struct CUstream_st* stream);

/// Enqueues the reduction of redtune_reduce_extents() with the caller's workspace, see redtune_reduce_in().
REDTUNE_EXPORT redtune_status redtune_reduce_extents_in(redtune_reducer* reducer, const void* input, const void* second,
                                                        uint64_t outer, uint64_t reduced, uint64_t inner, void* output,
                                                        struct CUstream_st* stream, void* workspace,
                                                        size_t workspace_bytes);

/// Enqueues the reduction of the first *n elements, with a workspace of the pool. Not for problems with rows or
/// columns.
/// @param n device address of the number of elements, aligned to 8 bytes; read when the kernels run
/// @param most upper bound of *n, for which the call is launched and the inputs have memory; a larger *n counts as
/// `most`
REDTUNE_EXPORT redtune_status redtune_reduce_device_count(redtune_reducer* reducer, const void* input,
                                                          const void* second, const uint64_t* n, uint64_t most,
                                                          void* output, struct CUstream_st* stream);

/// Enqueues the reduction of redtune_reduce_device_count() with the caller's workspace, see redtune_reduce_in().
REDTUNE_EXPORT redtune_status redtune_reduce_device_count_in(redtune_reducer* reducer, const void* input,
                                                             const void* second, const uint64_t* n, uint64_t most,
                                                             void* output, struct CUstream_st* stream, void* workspace,
                                                             size_t workspace_bytes);

/// Returns the bytes of a workspace, the same for every n.
REDTUNE_EXPORT size_t redtune_workspace_bytes(const redtune_reducer* reducer);

/// Returns how many bytes at the start of a workspace must be zero before its first call.
REDTUNE_EXPORT size_t redtune_workspace_zeroed_bytes(const redtune_reducer* reducer);

/// Returns a stream's workspace to the pool. Call it before the stream is destroyed, when its calls are done.
REDTUNE_EXPORT void redtune_release(redtune_reducer* reducer, struct CUstream_st* stream);

/// The current state of redtune_tune().
typedef struct redtune_tune_progress {
    size_t size;          ///< size of the struct, in the library's version
    int is_compiling;     ///< not 0: kernels are being compiled; the members after `kernels` are not set
    uint64_t compiled;    ///< kernels that are ready
    uint64_t kernels;     ///< kernels that will be compiled
    uint64_t n;           ///< the size that is measured
    uint64_t screened;    ///< candidates of all sizes that have a time
    uint64_t candidates;  ///< candidates of all sizes; a search ends before all of them have a time
    double best_us;       ///< least time of this size so far; 0: none yet
    double remaining_s;   ///< estimate for the rest, in seconds
} redtune_tune_progress;

/// The options of redtune_tune(); redtune/tuning.h says more of them.
typedef struct redtune_tune_options {
    size_t size;            ///< sizeof(redtune_tune_options)
    const char* effort;     ///< "quick", "standard", "thorough" or "exhaustive"; NULL: "standard"
    double budget_s;        ///< seconds that the call may take; 0: no limit
    uint32_t between;       ///< sizes to tune between neighbouring sizes, for each factor of 2; 0: 3
    int no_between;         ///< not 0: none
    int device;             ///< ordinal of the GPU, as the CUDA driver counts
    const char* recording;  ///< name of a recording that is replayed in place of a GPU; NULL: a GPU
    const char* database;   ///< the database that gets the results; NULL: the user's
    /// Called after each measurement with `context`. Returns 0 to go on, else the call ends after the current
    /// measurement. NULL: no calls.
    int (*progress)(const redtune_tune_progress* now, void* context);
    void* context;  ///< passed to `progress`
} redtune_tune_options;

/// The outcome of a call of redtune_tune().
typedef struct redtune_tune_result {
    size_t size;                    ///< sizeof(redtune_tune_result), set by the caller
    uint64_t screened;              ///< candidates that were measured by this call
    uint64_t failed;                ///< candidates that failed, now or in an earlier call
    uint64_t sizes_without_winner;  ///< sizes at which no candidate passed
    int is_interrupted;             ///< not 0: `progress` ended the call
    int is_out_of_time;             ///< not 0: the budget was over before everything was measured
} redtune_tune_result;

/// Finds the best configuration of each size, for calls with their input in device memory, and stores it, as the
/// command `redtune tune` does. What the database has is not measured again. An interrupted call loses nothing.
/// @param sizes elements of all rows together
/// @param count number of sizes, at least 1
/// @param options NULL: the defaults
/// @param result receives what was done; may be NULL
REDTUNE_EXPORT redtune_status redtune_tune(const redtune_problem* problem, const uint64_t* sizes, size_t count,
                                           const redtune_tune_options* options, redtune_tune_result* result);

#ifdef __cplusplus
}
#endif

#endif
