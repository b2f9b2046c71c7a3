#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/call_status.h"
#include "redtune/catalog.h"
#include "redtune/export.h"
#include "redtune/match.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "redtune/selector.h"

struct CUstream_st;

namespace redtune {

namespace runtime {
class Reduction;
}

/// A CUDA stream: cudaStream_t and CUstream are this type.
using Stream = CUstream_st*;

/// The device addresses of a call's input arrays, each of n elements. An array needs no more alignment than one element
/// has.
struct InputArrays {
    /// Takes the addresses. Most problems have one array, which callers pass as a pointer.
    // NOLINTNEXTLINE(google-explicit-constructor)
    InputArrays(const void* first_array, const void* second_array = nullptr)
        : first(first_array), second(second_array) {}

    const void* first;   ///< the array; of pairs the first elements
    const void* second;  ///< for operators over pairs such as dot; else null
};

/// A number of elements that lies in device memory, for calls whose n an earlier kernel of the stream computes.
struct DeviceCount {
    /// Device address of n, aligned to 8 bytes. The kernels of the call read n when they run, so n must not change
    /// between the call's place in the stream and the end of its kernels.
    const std::uint64_t* n = nullptr;
    /// Upper bound of n, known to the host: the call is launched for this number of elements. If n is larger, the first
    /// `most` elements are reduced.
    std::uint64_t most = 0;
};

/// Device memory of the caller for one call after another. It is aligned to 256 bytes.
struct Workspace {
    void* memory = nullptr;  ///< device address
    std::size_t bytes = 0;   ///< size
};

/// The options of a reducer; its problem is given apart.
struct ReducerOptions {
    /// Regime and constraints of the configurations. `max_workspace_bytes` is 1 MiB if it is empty.
    SelectOptions select;
    /// The catalog that configurations come from. It must outlive the reducer. Null: one that the process opens once,
    /// with Catalog::open().
    const Catalog* catalog = nullptr;
    /// The number of workspaces in the reducer's pool: one for each stream that calls are made in, and one for each
    /// call that a graph records. 0: no pool; every call brings its own workspace.
    std::uint32_t workspaces = 64;
    /// For a problem of columns: about how many matrices a call reduces at once (Extents::outer). Their configuration
    /// is chosen as for one matrix that is so many times as wide. Calls with any other number are right too.
    std::uint64_t matrices = 1;
    /// A file that defines an operator of your own, which `Problem::op` then names (problem_of()); empty: none.
    std::string operator_file;
    /// The same operator as text, in place of a file: what the file would contain (problem_of_source()); empty: none.
    std::string operator_source;
};

/// Reduces arrays on one device: made once for a problem, then called any number of times.
///
///     cudaSetDevice(0);
///     redtune::Reducer sum(redtune::make_problem("sum", redtune::Type::f32));
///     sum.prepare(n);
///     if (sum.reduce(input, n, output, stream) != redtune::CallStatus::ok) { ... redtune::last_error() ... }
///
/// A reducer belongs to the CUDA context that is current when it is made; if none is, to the primary context of device
/// 0, which it makes current. The CUDA runtime, PyTorch and CuPy use primary contexts. Calls need that context to be
/// current. Any number of threads may call a reducer at once.
///
/// reduce() enqueues one to some kernels in the caller's stream, in whose order they run, and returns. After prepare()
/// for its n, a call of reduce() takes no lock, allocates nothing, waits for nothing and needs no file. The same holds
/// in a capture of the stream: the call is recorded in the graph.
///
/// **Workspaces.** Kernels exchange partial results in a workspace, of which two calls that may run at once need one
/// each. The pool gives each stream its own, and each call that a graph records. A graph's workspaces return to the
/// pool when the graph and what was instantiated from it are destroyed. If a graph is instantiated more than once, its
/// instances must not run at the same time. A stream that is destroyed keeps its workspace until release() is called.
class REDTUNE_EXPORT Reducer {
  public:
    /// Chooses configurations for all sizes and allocates the pool. Nothing is compiled or loaded yet. No stream may be
    /// captured meanwhile: CUDA ends captures in which memory is allocated.
    /// @throws DeviceError if there is no GPU or no memory for the pool; DatabaseError if the catalog cannot be opened;
    /// InputError for an unknown operator, a bad operator of your own, or one that is given as a file and as text, and
    /// for a problem with both rows and columns.
    explicit Reducer(const Problem& problem, const ReducerOptions& options = {});
    /// Moves the reducer. One that was moved from may only be assigned to or destroyed.
    Reducer(Reducer&&) noexcept;
    /// Moves the reducer, and frees what this one had, as the destructor does.
    Reducer& operator=(Reducer&&) noexcept;
    /// Frees the pool and unloads the kernels. No call may be running on the device, except for launches of graphs:
    /// what their calls need is kept until the graphs are destroyed, and freed when the next reducer is made or
    /// destroyed. Calls with a workspace of the caller are no exception: their graphs must be destroyed before.
    ~Reducer();

    /// Returns the problem of reducing a whole array with the operator of a file, for ReducerOptions::operator_file.
    /// @throws InputError if the file is no operator file, or its operator does not take the input type.
    static Problem problem_of(const std::string& operator_file, Type input);
    /// Returns the problem of reducing a whole array with the operator of a text, for ReducerOptions::operator_source.
    /// @throws InputError, which names the text `operator_source`, if the text is no source of an operator, or its
    /// operator does not take the input type.
    static Problem problem_of_source(const std::string& operator_source, Type input);

    /// Compiles (or takes from a cache) and loads the kernels for n elements, so that no later call with this n does.
    /// @throws CompileError or DeviceError if that fails; InputError if no configuration is legal, with the reasons.
    void prepare(std::uint64_t n);
    /// Prepares every n from `first` to `last`.
    void prepare(std::uint64_t first, std::uint64_t last);

    /// Compiles and loads the kernels for a DeviceCount with this `most`, so that no later call with it does. They are
    /// other kernels than those of prepare(most).
    /// @throws as prepare(); InputError for a problem of rows or columns
    void prepare_device_count(std::uint64_t most);

    /// Enqueues the reduction of n elements in a stream, with a workspace of the pool.
    /// @param input device memory of n elements for each array
    /// @param n elements of each input array, of all rows together; for rows a multiple of the row length, at least one
    /// row; for columns a multiple of their number, the elements of one matrix
    /// @param output device memory for one result, or one for each row or column, of type Problem::output and aligned
    /// to it
    /// @param stream null: the legacy default stream, as everywhere in CUDA
    CallStatus reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream) noexcept;
    /// Enqueues the reduction with the caller's workspace, of at least workspace_bytes(). Its first
    /// workspace_zeroed_bytes() must be zero before its first call; every call leaves them zero again. Calls that may
    /// run at once need two workspaces. After a call that did not return `ok`, and after an aborted kernel, the part
    /// must be set to zero again.
    CallStatus reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream,
                      const Workspace& workspace) noexcept;

    /// Enqueues the reduction of an array of three extents over the middle one, as problems of rows and columns reduce
    /// it. For columns, extents.inner is Problem::columns, and outer is any number of matrices from 1 on; with rows,
    /// reduced is Problem::row_length and inner is 1. Other extents are refused (`invalid_argument`). The configuration
    /// is configuration(extents).
    /// @param input device memory of extents.n() elements for each array
    /// @param extents the three extents
    /// @param output device memory for extents.results() results
    /// @param stream null: the legacy default stream
    CallStatus reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream) noexcept;
    /// The same with the caller's workspace.
    CallStatus reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream,
                      const Workspace& workspace) noexcept;

    /// Enqueues the reduction of the first *count.n elements, with the configuration(count.most). The input arrays have
    /// memory for count.most elements. Problems of rows and columns are refused (`invalid_argument`).
    CallStatus reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream) noexcept;
    /// The same with the caller's workspace.
    CallStatus reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream,
                      const Workspace& workspace) noexcept;

    /// Returns the bytes of a workspace, the same for every n.
    std::size_t workspace_bytes() const noexcept;
    /// Returns how many bytes at the start of a workspace must be zero before its first call.
    std::size_t workspace_zeroed_bytes() const noexcept;

    /// Returns the configuration that a call with n elements uses; empty if there is none, and why_not() says why.
    std::optional<Match> configuration(std::uint64_t n) const noexcept;
    /// Returns the configuration that a call with these extents uses, with its launches. For several matrices it is the
    /// one for a wide matrix (ReducerOptions::matrices), if their rows are 128 bytes or longer; else that of one matrix
    /// with extents.n() elements, whose blocks are divided among the matrices.
    std::optional<Match> configuration(const Extents& extents) const noexcept;
    /// Returns why a call with n elements returns no_configuration, in sentences; empty if it does not.
    std::string why_not(std::uint64_t n) const;

    /// Uses this configuration for every n, whatever the catalog says, so that a later version or a new recording does
    /// not change the rounding of results. The kernel is loaded on return. Parameters that are missing have their
    /// defaults. workspace_bytes() changes, and the pool is made anew: no call may run meanwhile, on the host or on the
    /// device.
    /// @throws InputError if the family or a parameter is unknown, or the configuration is not legal on the device.
    void pin(std::string_view family, const std::vector<Parameter>& parameters);

    /// Returns the workspace of a stream to the pool. Call it before the stream is destroyed, when its calls are done.
    void release(Stream stream) noexcept;

  private:
    std::unique_ptr<runtime::Reduction> reduction_;
};

}  // namespace redtune
