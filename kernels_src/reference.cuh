// Reference results, and the sums of a result's terms from which the bound of its error follows.
#pragma once

#include "kernels_src/operators.cuh"

namespace redtune {

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

/// Sums over the terms of one result, in f64. A term is an element after the operator's transform.
struct TermSums {
    double magnitudes;  // sum of |term|
    double squares;     // sum of term^2
};

/// Computes the TermSums of each row of each input. One block of 256 threads computes one row.
template <class P>
__global__ void sum_terms(const ReferenceJob<P> job, TermSums* sums) {
    using Op = typename P::Operator;
    __shared__ TermSums shared[256];
    for (u64 row = blockIdx.x; row < job.inputs * job.rows; row += gridDim.x) {
        const u64 first = row / job.rows * job.stride + row % job.rows * job.row_length;
        TermSums sum = {0, 0};
        for (u64 i = threadIdx.x; i < job.row_length; i += 256) {
            const auto y = Op::form == Form::of_pairs ? job.second[first + i] : typename P::Input();
            const double term = double(transform_element<Op>(job.input[first + i], y, i));
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
            sums[row] = sum;
        }
        __syncthreads();
    }
}

}  // namespace redtune
