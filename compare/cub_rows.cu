#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>

#include "compare/cub_arguments.h"

// CUB 3.2 and newer have calls for segments of a fixed size. Older versions read the bounds of each segment through
// iterators; these compute them, so that no bounds are read from memory.
#if CUB_VERSION >= 300200
#define REDTUNE_CUB_HAS_FIXED_SEGMENTS 1
#include <cuda/std/utility>
#else
#define REDTUNE_CUB_HAS_FIXED_SEGMENTS 0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace redtune::compare {

namespace {

#if REDTUNE_CUB_HAS_FIXED_SEGMENTS

template <class T>
using IndexAndValue = cuda::std::pair<int, T>;

/// The arguments of CUB's calls that describe the segments: rows contiguous segments of row_length elements.
#define REDTUNE_SEGMENTS(rows, row_length) static_cast<std::int64_t>(rows), static_cast<int>(row_length)

#else

template <class T>
using IndexAndValue = cub::KeyValuePair<int, T>;

/// Returns the first element of a row.
struct RowBegin {
    std::int64_t row_length;
    __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * row_length; }
};

auto row_bounds(std::uint64_t row_length) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                           RowBegin{static_cast<std::int64_t>(row_length)});
}

#define REDTUNE_SEGMENTS(rows, row_length) \
    static_cast<std::int64_t>(rows), row_bounds(row_length), row_bounds(row_length) + 1

#endif

template <class T>
cudaError_t reduce_rows(const CubCall& call, const Arguments& to, std::uint64_t rows) {
    using Reduce = cub::DeviceSegmentedReduce;
    const T* in = static_cast<const T*>(to.array);
    auto* values = static_cast<T*>(to.output);
    auto* pairs = static_cast<IndexAndValue<T>*>(to.output);
    if (call.op == "sum") {
        auto* sums = static_cast<typename SumOf<T>::type*>(to.output);
        return Reduce::Sum(to.workspace, to.bytes, in, sums, REDTUNE_SEGMENTS(rows, call.row_length), to.stream);
    }
    if (call.op == "min") {
        return Reduce::Min(to.workspace, to.bytes, in, values, REDTUNE_SEGMENTS(rows, call.row_length), to.stream);
    }
    if (call.op == "max") {
        return Reduce::Max(to.workspace, to.bytes, in, values, REDTUNE_SEGMENTS(rows, call.row_length), to.stream);
    }
    if (call.op == "argmin") {
        return Reduce::ArgMin(to.workspace, to.bytes, in, pairs, REDTUNE_SEGMENTS(rows, call.row_length), to.stream);
    }
    if (call.op == "argmax") {
        return Reduce::ArgMax(to.workspace, to.bytes, in, pairs, REDTUNE_SEGMENTS(rows, call.row_length), to.stream);
    }
    return cudaErrorInvalidValue;
}

}  // namespace

std::size_t row_pair_bytes(const CubCall& call, std::uint64_t rows) {
    if (call.op != "argmin" && call.op != "argmax") return 0;
    return rows * (call.dtype == "f64" || call.dtype == "i64" ? sizeof(IndexAndValue<double>)
                                                              : sizeof(IndexAndValue<float>));
}

cudaError_t cub_reduce_rows(const CubCall& call, const Arguments& to, std::uint64_t rows) {
    return with_type(call.dtype, [&](auto* type) {
        return reduce_rows<std::remove_pointer_t<decltype(type)>>(call, to, rows);
    });
}

}  // namespace redtune::compare
