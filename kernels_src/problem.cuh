// The reduction problem as types, and the arguments of every family's kernel.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// The types of a reduction. Operator: see operators.cuh. Input: the element type of the array. Accumulator: the type
/// of partial results. Output: the type of the result.
template <class OperatorT, class InputT, class AccumulatorT, class OutputT>
struct Problem {
    using Operator = OperatorT;
    using Input = InputT;
    using Accumulator = AccumulatorT;
    using Output = OutputT;
};

/// The start of the workspace; all zero between calls.
struct WorkspaceHeader {
    u64 accumulators[19];  // the blocks' values combined so far (atomic and packed finish)
    u32 arrivals;          // blocks that have stored or added their value (ticket and atomic finish)
};

/// The arguments of a launch. Input arrays are aligned to one element at least.
template <class Problem>
struct Arguments {
    const typename Problem::Input* input;
    const typename Problem::Input* second;  // the second array of operators over pairs, as long as the first
    u64 n;                                  // elements of each array that this launch reads
    u64 row_length;                         // elements of a result of this launch, n of a whole array; or columns
    u64 count;                              // elements for each result of the whole call (a mean divides by it)
    typename Problem::Output* output;       // one result, or one for each row or column
    WorkspaceHeader* header;                // the start of the workspace
    void* slots;                            // one slot for each block of this launch, if its finish needs slots
};

}  // namespace redtune
