// The tuner's own kernels: inputs, the reference, the cache reader, clocks. No candidate uses them.
#pragma once

#include "kernels_src/chain.cuh"
#include "kernels_src/memory_model.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

/// splitmix64's finaliser (Steele, Lea, Flood, 2014): neighbouring counters give unrelated words.
__device__ inline u64 scramble(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// What the elements of an input are.
/// random: floats uniform in [-1, 1) with all mantissa bits in use, integers over their whole range.
/// whole: whole numbers in [-8, 8] (modulo the type's range), so that sums of floats are exact in any order while they
///        stay below 2^24.
/// units: -1, 0 or 1: squares and magnitudes then sum exactly to larger n.
/// factors: floats 1 or -1, integers odd, so that a product is exact and every element shows in it.
/// near_one: floats within 2^-20 of 1, so that products of many keep their size; integers as factors.
enum class Values { random, whole, units, factors, near_one };

template <class T, Values values>
__device__ T make_element(u64 index, u64 seed) {
    const u64 bits = scramble(index ^ (seed << 48));
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

template <class T, Values values>
__global__ void fill_input(T* to, u64 n, u64 seed) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        to[i] = make_element<T, values>(i, seed);
    }
}

/// The inputs that a reference is wanted of: `inputs` of them, `stride` elements apart, each of `rows` rows (1: a whole
/// array) of `row_length` elements, one behind the other.
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
    typename P::Output* results;  // input by input, row by row
};

/// Partials by one thread each, which folds every parts-th element of its row. Slow and simple on purpose: nothing is
/// shared with the families but the operator.
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

/// The partials of a row combined by one block of 256 threads, and finished.
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

/// What is wrong with results, for a report.
struct Mismatch {
    u64 wrong;     // how many
    u64 first;     // complement of the lowest index of a wrong one
};

/// Whether a result is as it must be: equal to the reference as rounded to its type (both NaN is equal), or no farther
/// from it than the tolerance.
template <class Output, class Reference>
__device__ bool is_right(Output got, Reference expected, double absolute, double relative) {
    if constexpr (IsFloat<Output>::value) {
        if (is_nan(expected)) return is_nan(got);
        if (got == Output(expected)) return true;
        if (expected - expected != Reference(0)) return false;  // an infinity has no neighbourhood
        const double difference = double(got) - double(expected);
        const double allowed = absolute + relative * (expected < Reference(0) ? -double(expected) : double(expected));
        return (difference < 0 ? -difference : difference) <= allowed;
    } else {
        return got == Output(expected);
    }
}

/// Judges `sets` sets of `count` results, `stride` results apart, against `references` sets of references, in turn.
/// mismatch is zero before.
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

/// Reads `count` 16-byte words, so that they displace everything else from L2. Reading leaves no dirty lines whose
/// write-back the next kernel would pay for.
__global__ void read_buffer(const uint4* from, u64 count, u32* sink) {
    u32 seen = 0;
    const u64 step = u64(gridDim.x) * blockDim.x;
    u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 7 * step < count; i += 8 * step) {
        uint4 held[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) held[k] = __ldcg(from + i + k * step);
#pragma unroll
        for (int k = 0; k < 8; ++k) seen ^= held[k].x ^ held[k].y ^ held[k].z ^ held[k].w;
    }
    for (; i < count; i += step) {
        const uint4 held = __ldcg(from + i);
        seen ^= held.x ^ held.y ^ held.z ^ held.w;
    }
    if (seen == 0x5eed5eedu) *sink = seen;  // keeps the loads; practically never true, and harmless
}

__device__ inline u64 global_nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/// SM clock cycles and nanoseconds over about the given time, one pair a call: the clock at that moment.
__global__ void probe_clock(u64 nanoseconds, u64* cycles_and_nanoseconds) {
    const u64 begin = global_nanoseconds();
    const long long begin_cycles = clock64();
    u64 now = begin;
    while (now - begin < nanoseconds) now = global_nanoseconds();
    cycles_and_nanoseconds[0] = u64(clock64() - begin_cycles);
    cycles_and_nanoseconds[1] = now - begin;
}

/// How many cycles a load takes of each of `count` words that are 0, `stride` words apart: the least of a few, as the
/// SM sees it that the first block of a grid runs on. For one thread.
__global__ void probe_latency(const u64* words, u64 stride, u32 count, u32* cycles) {
    constexpr int repetitions = 4;
    for (u32 i = 0; i < count; ++i) {
        u32 least = ~u32(0);
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            const long long begin = clock64();
            const u64 word = load_relaxed(words + i * stride);
            if (word != 0) cycles[i] = u32(word);  // never: the clock is read behind the load
            const u32 taken = u32(clock64() - begin);
            if (taken < least) least = taken;
        }
        cycles[i] = least;
    }
}

/// Does nothing, with the arguments of a family's kernel: the floor of a launch. pdl: lets the next launch begin as
/// soon as a family's kernel may, and ends no sooner than that; millions of blocks take longer to start then.
template <class Problem, bool pdl>
__global__ void empty(const Arguments<Problem>) {
    begin_in_chain<pdl>();
}

}  // namespace redtune
