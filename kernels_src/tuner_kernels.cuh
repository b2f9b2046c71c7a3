// The tuner's own kernels. They fill inputs, compute references, compare results, evict L2, and measure clock frequency
// and latency. No family uses them.
#pragma once

#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/memory_model.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

/// Returns a pseudo-random word for each value of a counter: one step of splitmix64 (Steele, Lea, Flood, 2014).
__device__ inline u64 splitmix64(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// The kinds of elements of a generated input.
/// random: floats uniform in [-1, 1) with all mantissa bits in use, integers over their whole range.
/// whole: whole numbers in [-8, 8] (modulo the type's range); sums of floats are exact in any order below 2^24.
/// units: -1, 0 or 1; sums of squares and of absolute values stay exact up to larger n than with `whole`.
/// factors: floats 1 or -1, odd integers; products are exact and depend on every element.
/// near_one: floats within 2^-20 of 1, so that long products neither overflow nor vanish; integers as in `factors`.
enum class Values { random, whole, units, factors, near_one };

/// Returns the input element at `index` for a seed.
template <class T, Values values>
__device__ T make_element(u64 index, u64 seed) {
    const u64 bits = splitmix64(index ^ (seed << 48));
    if constexpr (values == Values::whole) {
        return T(int(bits % 17) - 8);
    } else if constexpr (values == Values::units) {
        return T(int(bits % 3) - 1);
    } else if constexpr (!IsFloat<T>::value) {
        return T((bits >> 32) | (values == Values::random ? 0 : 1)) ^ T(values == Values::random ? bits << 32 : 0);
    } else if constexpr (values == Values::factors) {
        return T(bits % 2 == 0 ? 1.0f : -1.0f);
    } else {
        const double unit = double(int(u32(bits >> 32))) * (1.0 / 2147483648.0);
        const double value = values == Values::random ? unit : 1.0 + unit * (1.0 / 1048576.0);
        if constexpr (sizeof(T) == sizeof(double)) {
            return T(value);
        } else {
            return T(float(value));
        }
    }
}

/// Fills an array of n elements.
template <class T, Values values>
__global__ void fill_input(T* to, u64 n, u64 seed) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        to[i] = make_element<T, values>(i, seed);
    }
}

/// The arguments of the reference kernels. There are `inputs` inputs, `stride` elements apart. Each has `rows`
/// contiguous rows of `row_length` elements; a whole array is one row.
template <class P>
struct ReferenceJob {
    const typename P::Input* input;
    const typename P::Input* second;
    u64 stride;
    u64 inputs;
    u64 rows;
    u64 row_length;
    u64 parts;  // partials for each row
    typename P::Accumulator* partials;
    typename P::Output* results;  // all rows of the first input, then of the next
};

/// Computes the partials of the references. One thread computes one partial: it folds every parts-th element of a row.
/// The kernel is slow and simple on purpose, and shares only the operator with the families.
template <class P>
__global__ void reference_partials(const ReferenceJob<P> job) {
    using Op = typename P::Operator;
    const u64 all = job.inputs * job.rows * job.parts;
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 at = u64(blockIdx.x) * blockDim.x + threadIdx.x; at < all; at += step) {
        const u64 row = at / job.parts;
        const u64 first = row / job.rows * job.stride + row % job.rows * job.row_length;
        auto value = Op::identity();
        for (u64 i = at % job.parts; i < job.row_length; i += job.parts) {
            const auto y = Op::form == Form::of_pairs ? job.second[first + i] : typename P::Input();
            value = Op::combine(value, transform_element<Op>(job.input[first + i], y, i));
        }
        job.partials[at] = value;
    }
}

/// Computes the references: one block of 256 threads combines the partials of a row.
template <class P>
__global__ void reference_results(const ReferenceJob<P> job) {
    using Op = typename P::Operator;
    __shared__ typename P::Accumulator shared[256];
    for (u64 row = blockIdx.x; row < job.inputs * job.rows; row += gridDim.x) {
        auto value = Op::identity();
        for (u64 i = threadIdx.x; i < job.parts; i += 256) value = Op::combine(value, job.partials[row * job.parts + i]);
        shared[threadIdx.x] = value;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < 256; ++i) value = Op::combine(value, shared[i]);
            job.results[row] = Op::finish(value, job.row_length);
        }
        __syncthreads();
    }
}

/// The wrong results that compare_results() found.
struct Mismatch {
    u64 wrong;  // number of wrong results
    u64 first;  // bitwise complement of the lowest index of a wrong result
};

/// Returns whether a result is right: equal to the reference rounded to its type (NaN equals NaN), or within the
/// tolerance, absolute + relative * |expected|.
template <class Output, class Reference>
__device__ bool is_right(Output got, Reference expected, double absolute, double relative) {
    if constexpr (IsFloat<Output>::value) {
        if (is_nan(expected)) return is_nan(got);
        if (got == Output(expected)) return true;
        if (expected - expected != Reference(0)) return false;  // no tolerance around an infinity
        const double difference = double(got) - double(expected);
        const double allowed = absolute + relative * (expected < Reference(0) ? -double(expected) : double(expected));
        return (difference < 0 ? -difference : difference) <= allowed;
    } else {
        return got == Output(expected);
    }
}

/// Compares `sets` sets of `count` results with `references` sets of expected results: set i with expected set i %
/// references. The sets of results are `stride` results apart. `mismatch` must be zero before.
template <class Output, class Reference>
__global__ void compare_results(const Output* got, u64 stride, u64 sets, const Reference* expected, u64 references,
                                u64 count, double absolute, double relative, Mismatch* mismatch) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 at = u64(blockIdx.x) * blockDim.x + threadIdx.x; at < sets * count; at += step) {
        const Output result = got[at / count * stride + at % count];
        const Reference reference = expected[at / count % references * count + at % count];
        if (is_right(result, reference, absolute, relative)) continue;
        atomicAdd(&mismatch->wrong, u64(1));
        atomicMax(&mismatch->first, ~at);
    }
}

/// Reads `count` 16-byte words to evict everything else from L2. It reads because writes would leave dirty lines, which
/// the next kernel would have to write back.
__global__ void read_buffer(const uint4* from, u64 count, u32* sink) {
    u32 seen = 0;
    const u64 step = u64(gridDim.x) * blockDim.x;
    u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 7 * step < count; i += 8 * step) {
        uint4 loaded[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) loaded[k] = __ldcg(from + i + k * step);
#pragma unroll
        for (int k = 0; k < 8; ++k) seen ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
    for (; i < count; i += step) {
        const uint4 loaded = __ldcg(from + i);
        seen ^= loaded.x ^ loaded.y ^ loaded.z ^ loaded.w;
    }
    if (seen == 0x5eed5eedu) *sink = seen;  // stops the compiler from removing the loads; harmless if ever true
}

/// Returns the time of the global timer in nanoseconds.
__device__ inline u64 global_nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/// Counts SM clock cycles and nanoseconds for about the given time; their ratio is the current clock frequency.
__global__ void probe_clock(u64 nanoseconds, u64* cycles_and_nanoseconds) {
    const u64 begin = global_nanoseconds();
    const long long begin_cycles = clock64();
    u64 now = begin;
    while (now - begin < nanoseconds) now = global_nanoseconds();
    cycles_and_nanoseconds[0] = u64(clock64() - begin_cycles);
    cycles_and_nanoseconds[1] = now - begin;
}

/// Measures the latency of loads, in SM clock cycles: loads each of `count` words a few times and stores the lowest
/// latency of each. The words are `stride` words apart and must all be 0. The grid is one block of one thread, so that
/// the latency is that seen from one SM.
__global__ void probe_latency(const u64* words, u64 stride, u32 count, u32* cycles) {
    constexpr int repetitions = 4;
    for (u32 i = 0; i < count; ++i) {
        u32 least = ~u32(0);
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            const long long begin = clock64();
            const u64 word = load_relaxed(words + i * stride);
            if (word != 0) cycles[i] = u32(word);  // never true; makes the second clock read wait for the load
            const u32 taken = u32(clock64() - begin);
            if (taken < least) least = taken;
        }
        cycles[i] = least;
    }
}

/// Does nothing, but takes the arguments of a family's kernel, so its time is a lower bound on the time of a launch.
/// pdl: the kernel waits for the previous kernel and launches dependents as a family's kernel with PDL does.
template <class Problem, bool pdl>
__global__ void empty(const Arguments<Problem>) {
    begin_pdl<pdl>();
}

}  // namespace redtune
