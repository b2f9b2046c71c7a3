// What a kernel reduces, as types; and the arguments that every family's kernel takes.
#pragma once

namespace redtune {

using u32 = unsigned int;
using u64 = unsigned long long;

/// Operator: see operators.cuh. Input: type of the array. Accumulator: type that is combined. Output: type of
/// the result.
template <class OperatorT, class InputT, class AccumulatorT, class OutputT>
struct Problem {
    using Operator = OperatorT;
    using Input = InputT;
    using Accumulator = AccumulatorT;
    using Output = OutputT;
};

/// First word of the workspace; zero between calls.
struct WorkspaceHeader {
    u32 arrivals;  // blocks that have stored their partial (ticket finish)
};

/// input: n elements, aligned to their own size. output: one element. header: start of the workspace, zero.
/// slots: where this launch keeps one slot for each of its blocks, if it needs any.
template <class Problem>
struct Arguments {
    const typename Problem::Input* input;
    u64 n;
    typename Problem::Output* output;
    WorkspaceHeader* header;
    void* slots;
};

}  // namespace redtune
