// Finishes for columns: they combine the values of the blocks that have different rows of the same columns.
#pragma once

#include "kernels_src/columns.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

/// The words through which the blocks of a strip of columns publish their values (FlaggedPartial): for each part, one
/// word for each column of the strip.
template <class Accumulator>
class ColumnWords {
  public:
    using Partial = FlaggedPartial<Accumulator>;

    __device__ ColumnWords(void* slots, const ColumnBlock& at, u32 columns)
        : words_(static_cast<typename Partial::Word*>(slots) + u64(at.strip) * columns),
          stride_(u64(gridDim.x / at.parts) * columns) {}

    __device__ void publish(u32 part, u32 column, Accumulator value) const {
        store_relaxed(words_ + part * stride_ + column, Partial::encode(value));
    }

    /// Returns `value` combined with the values of a column that the parts first, first + step, ... publish, of `parts`
    /// parts. It waits until they are published.
    template <class Op>
    __device__ Accumulator combine(u32 first, u32 step, u32 parts, u32 column, Accumulator value) const {
        constexpr u32 unroll = 4;
        for (u32 base = first; base < parts; base += unroll * step) {
            typename Partial::Word loaded[unroll];
            bool is_complete;
            do {
                is_complete = true;
#pragma unroll
                for (u32 i = 0; i < unroll; ++i) {
                    loaded[i] = load_relaxed(words_ + clamp_index(base + i * step, parts) * stride_ + column);
                    is_complete = is_complete && Partial::is_stored(loaded[i]);
                }
            } while (!is_complete);
#pragma unroll
            for (u32 i = 0; i < unroll; ++i) {
                if (base + i * step < parts) value = Op::combine(value, Partial::decode(loaded[i]));
            }
        }
        return value;
    }

    /// Clears the words that combine() reads, because they must be zero at the next call.
    __device__ void clear(u32 first, u32 step, u32 parts, u32 column) const {
        for (u32 part = first; part < parts; part += step) {
            store_relaxed(words_ + part * stride_ + column, Partial::empty());
        }
    }

  private:
    typename Partial::Word* words_;
    u64 stride_;  // words from one part to the next
};

/// Writes the results of the block's columns. `values` in shared memory has their values, of which thread t has written
/// number t, t + block, ..., and room for `block` values. column_of(i) returns the number of column i, counted over all
/// matrices; a column beyond the `count` columns of all matrices does not exist. All threads call it.
///
/// If the rows are divided into parts, the blocks of a strip combine their values: `two_kernel` stores them for a second
/// launch; with `publish`, all blocks publish their values but that of the last part, which waits for them. GPUs start
/// blocks in the order of their indices, so the blocks that it waits for have been started before it.
template <class P, int block, Finish finish, class ColumnOf>
__device__ void finish_columns(const Arguments<P>& a, const ColumnBlock& at, typename P::Accumulator* values,
                               u32 columns, u64 count, const ColumnOf& column_of) {
    static_assert(finish == Finish::two_kernel || finish == Finish::publish, "the finishes of columns");
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    const bool publishes = finish == Finish::publish && at.parts > 1;
    const ColumnWords<Accumulator> words(a.slots, at, columns);
    const u32 published = at.parts - 1;  // parts that publish
    const u32 sharing = columns < block ? block / columns : 1;  // threads that share the parts of a column

    if (publishes) {
        if (at.part != published) {
            for (u32 i = threadIdx.x; i < columns; i += block) words.publish(at.part, i, values[i]);
            return;
        }
        __syncthreads();  // the values beyond those of the columns are about to be overwritten
        for (u32 i = threadIdx.x; i < sharing * columns; i += block) {
            const Accumulator own = i < columns ? values[i] : Op::identity();
            values[i] = words.template combine<Op>(i / columns, sharing, published, i % columns, own);
        }
        combine_shared_rows<Op, block>(values, sharing, columns);
    }
    for (u32 i = threadIdx.x; i < columns; i += block) {
        const u64 column = column_of(i);
        if (column >= count) continue;
        if (finish == Finish::publish || at.parts == 1) {
            a.output[column] = Op::finish(values[i], a.count);
        } else {
            static_cast<Accumulator*>(a.slots)[column * at.parts + at.part] = values[i];
        }
    }
    if (publishes) {
        for (u32 i = threadIdx.x; i < sharing * columns; i += block) {
            words.clear(i / columns, sharing, published, i % columns);
        }
    }
}

}  // namespace redtune
