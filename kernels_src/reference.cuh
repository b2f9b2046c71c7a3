// Reference results, and the sums of a result's terms from which the bound of its error follows.
#pragma once

#include "kernels_src/operators.cuh"

namespace redtune {

/// The arguments of the reference kernels. There are `inputs` inputs, `stride` elements apart. Each has `results`
/// results, of `reduced` elements that are `inner` elements apart: `inner` results have their first elements next to each
/// other. A whole array has one result, and rows have an `inner` of 1.
template <class P>
struct ReferenceJob {
    const typename P::Input* input;
    const typename P::Input* second;
    u64 stride;
    u64 inputs;
    u64 results;
    u64 reduced;
    u64 inner;
    u64 parts;  // partials for each result
    typename P::Accumulator* partials;
    typename P::Output* outputs;  // all results of the first input, then of the next
};

/// Returns the index of the first element of result `result`, counted over all inputs.
template <class P>
__device__ u64 first_element(const ReferenceJob<P>& job, u64 result) {
    const u64 in_input = result % job.results;
    return result / job.results * job.stride + in_input / job.inner * (job.reduced * job.inner) + in_input % job.inner;
}

/// Computes the partials of the references. One thread computes one partial: it folds every parts-th element of a result.
/// The kernel is slow and simple on purpose, and shares only the operator with the families.
template <class P>
__global__ void reference_partials(const ReferenceJob<P> job) {
    using Op = typename P::Operator;
    const u64 all = job.inputs * job.results * job.parts;
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 at = u64(blockIdx.x) * blockDim.x + threadIdx.x; at < all; at += step) {
        const u64 first = first_element(job, at / job.parts);
        auto value = Op::identity();
        for (u64 i = at % job.parts; i < job.reduced; i += job.parts) {
            const auto y = Op::form == Form::of_pairs ? job.second[first + i * job.inner] : typename P::Input();
            value = Op::combine(value, transform_element<Op>(job.input[first + i * job.inner], y, i));
        }
        job.partials[at] = value;
    }
}

/// Computes the references: one block of 256 threads combines the partials of a result.
template <class P>
__global__ void reference_results(const ReferenceJob<P> job) {
    using Op = typename P::Operator;
    __shared__ typename P::Accumulator shared[256];
    for (u64 result = blockIdx.x; result < job.inputs * job.results; result += gridDim.x) {
        auto value = Op::identity();
        for (u64 i = threadIdx.x; i < job.parts; i += 256) value = Op::combine(value, job.partials[result * job.parts + i]);
        shared[threadIdx.x] = value;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < 256; ++i) value = Op::combine(value, shared[i]);
            job.outputs[result] = Op::finish(value, job.reduced);
        }
        __syncthreads();
    }
}

/// Sums over the terms of one result, in f64. A term is an element after the operator's transform.
struct TermSums {
    double magnitudes;  // sum of |term|
    double squares;     // sum of term^2
};

/// Adds the TermSums of each result of each input to `sums`, which must be zero before. Blocks of 256 threads share the
/// elements of a result, as many as there are parts for.
template <class P>
__global__ void sum_terms(const ReferenceJob<P> job, TermSums* sums) {
    using Op = typename P::Operator;
    __shared__ TermSums shared[256];
    const u64 shares = (job.parts + 255) / 256;
    for (u64 at = blockIdx.x; at < job.inputs * job.results * shares; at += gridDim.x) {
        const u64 result = at / shares;
        const u64 first = first_element(job, result);
        TermSums sum = {0, 0};
        for (u64 i = at % shares * 256 + threadIdx.x; i < job.reduced; i += shares * 256) {
            const auto y = Op::form == Form::of_pairs ? job.second[first + i * job.inner] : typename P::Input();
            const double term = double(transform_element<Op>(job.input[first + i * job.inner], y, i));
            sum.magnitudes += term < 0 ? -term : term;
            sum.squares += term * term;
        }
        shared[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < 256; ++i) {
                sum.magnitudes += shared[i].magnitudes;
                sum.squares += shared[i].squares;
            }
            atomicAdd(&sums[result].magnitudes, sum.magnitudes);
            atomicAdd(&sums[result].squares, sum.squares);
        }
        __syncthreads();
    }
}

}  // namespace redtune
