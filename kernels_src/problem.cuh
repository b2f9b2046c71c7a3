// What a kernel reduces, as types; and the arguments that every family's kernel takes.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Operator: see operators.cuh. Input: type of the array. Accumulator: type that is combined. Output: type of
/// the result.
template <class OperatorT, class InputT, class AccumulatorT, class OutputT>
struct Problem {
    using Operator = OperatorT;
    using Input = InputT;
    using Accumulator = AccumulatorT;
    using Output = OutputT;
};

/// The start of the workspace; zero between calls.
struct WorkspaceHeader {
    u64 accumulator;  // what blocks have made of their values so far (atomic and packed finish)
    u64 beside;       // of packed sums: the upper halves of 64 bits, or how many floats had no place in the accumulator
    u32 arrivals;     // blocks that have handed over their value (ticket and atomic finish)
};

/// Where a launch reads and writes. Arrays of elements are aligned to one element.
template <class Problem>
struct Arguments {
    const typename Problem::Input* input;
    const typename Problem::Input* second;  // the other array, for operators over pairs; of the same length
    u64 n;                                  // elements that this launch reads, of each array
    u64 row_length;                         // elements that become one result, in this launch; n for a whole array
    u64 count;                              // elements behind one result, in the whole call (a mean divides by it)
    typename Problem::Output* output;       // one result, or one for each row
    WorkspaceHeader* header;                // start of the workspace
    void* slots;                            // where this launch keeps one slot for each of its blocks, if it needs any
};

}  // namespace redtune
