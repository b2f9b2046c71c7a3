#include <algorithm>

#include "deadlocks.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"
#include "thread_exit.h"

namespace emulator {

namespace {

const char* operation_name(WarpOperation operation) {
    static constexpr const char* names[] = {
        "__syncwarp()",        "__shfl_sync()",       "__shfl_up_sync()",    "__shfl_down_sync()",
        "__shfl_xor_sync()",   "__ballot_sync()",     "__any_sync()",        "__all_sync()",
        "__reduce_add_sync()", "__reduce_min_sync()", "__reduce_max_sync()", "__reduce_min_sync()",
        "__reduce_max_sync()", "__reduce_and_sync()", "__reduce_or_sync()",  "__reduce_xor_sync()"};
    return names[int(operation)];
}

bool is_shuffle(WarpOperation operation) {
    return operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor;
}

// Returns the lane whose value `lane` receives from shfl.sync, as PTX defines it. That is `lane` itself if the source
// is outside of its segment. argument: the shuffle's lane, delta or mask. width: lanes per segment.
std::uint32_t source_lane(WarpOperation operation, std::uint32_t lane, std::uint32_t argument, std::uint32_t width) {
    const std::uint32_t first = lane & ~(width - 1);
    const std::uint32_t last = first + width - 1;
    std::uint32_t source = lane;
    switch (operation) {
        case WarpOperation::shuffle:
            return first | (argument & (width - 1));
        case WarpOperation::shuffle_up:
            return lane >= first + argument ? lane - argument : lane;
        case WarpOperation::shuffle_down:
            source = lane + argument;
            break;
        default:
            source = lane ^ argument;
            break;
    }
    return source <= last ? source : lane;
}

void check_source(const Thread& thread, const Collective& collective, std::uint32_t source, std::uint32_t present) {
    if ((collective.mask & present) >> source & 1u) return;
    const std::string where = source_line(collective.where);
    const bool absent = (present >> source & 1u) == 0;
    report("shuffle source " + where, "warp: " + name_of(thread.id) + " reads lane " + std::to_string(source) + " by " +
                                          operation_name(collective.operation) + " (" + where + "), " +
                                          (absent ? "which the block does not have" : "which is not in the mask"));
}

unsigned long long combine(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
    switch (operation) {
        case WarpOperation::add:
            return a + b;
        case WarpOperation::min_signed:
            return std::uint32_t(std::min(std::int32_t(a), std::int32_t(b)));
        case WarpOperation::max_signed:
            return std::uint32_t(std::max(std::int32_t(a), std::int32_t(b)));
        case WarpOperation::min_unsigned:
            return std::min(a, b);
        case WarpOperation::max_unsigned:
            return std::max(a, b);
        case WarpOperation::bit_and:
            return a & b;
        case WarpOperation::bit_or:
            return a | b;
        default:
            return a ^ b;
    }
}

unsigned long long vote_or_reduction(const Collective& collective, std::uint32_t lanes) {
    std::uint32_t ballot = 0;
    bool first = true;
    unsigned long long reduced = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1u) == 0) continue;
        ballot |= std::uint32_t(collective.values[lane] != 0) << lane;
        reduced = first ? std::uint32_t(collective.values[lane])
                        : combine(collective.operation, std::uint32_t(reduced), std::uint32_t(collective.values[lane]));
        first = false;
    }
    switch (collective.operation) {
        case WarpOperation::ballot:
            return ballot;
        case WarpOperation::any:
            return ballot != 0;
        case WarpOperation::all:
            return ballot == lanes;
        default:
            return reduced;
    }
}

// Gives all lanes their results and wakes them. All lanes of the mask must have arrived.
void complete(Block& block, std::uint32_t warp, const Collective& collective) {
    const std::uint32_t lanes = collective.arrived;
    const bool shuffles = is_shuffle(collective.operation);
    const unsigned long long common = shuffles ? 0 : vote_or_reduction(collective, lanes);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1u) == 0) continue;
        Thread& thread = block.threads[warp * 32 + lane];
        thread.result = common;
        if (shuffles) {
            const std::uint32_t source =
                source_lane(collective.operation, lane, collective.lanes[lane], collective.widths[lane]);
            check_source(thread, collective, source, block.warps[warp].present);
            thread.result = collective.values[source];
        }
        if (&thread != current.thread) wake(thread);
    }
    if (collective.operation == WarpOperation::sync) order_warp(block, warp, lanes);
}

std::string warp_name(const Block& block, std::uint32_t warp) {
    return "block " + std::to_string(block.index) + ", warp " + std::to_string(warp);
}

void report_exited(const Block& block, std::uint32_t warp, const Collective& collective, std::uint32_t exited) {
    const std::string where = source_line(collective.where);
    report_fatal("exited lanes " + where, "warp: " + warp_name(block, warp) + ": lanes " +
                                              lanes_of(collective.arrived) + " wait at " +
                                              operation_name(collective.operation) + " (" + where + ") for lanes " +
                                              lanes_of(exited) + " of its mask, which have exited");
}

void check_mask(const Thread& thread, const Warp& warp, const Collective& arriving) {
    if ((arriving.mask >> thread.lane() & 1u) == 0) {
        const std::string where = source_line(arriving.where);
        report_fatal("caller not in mask " + where,
                     "warp: " + name_of(thread.id) + " calls " + operation_name(arriving.operation) + " (" + where +
                         ") with a mask of lanes " + lanes_of(arriving.mask) + ", without itself");
    }
    if ((arriving.mask & warp.exited) != 0) {
        report_exited(*thread.block, thread.index / 32, arriving, arriving.mask & warp.exited);
    }
}

}  // namespace

unsigned long long warp_collective(WarpOperation operation, unsigned mask, unsigned long long value, unsigned lane,
                                   unsigned width, std::source_location where) {
    const RuntimeScope scope;
    Thread& thread = *current.thread;
    Block& block = *thread.block;
    const std::uint32_t warp_index = thread.index / 32;
    Warp& warp = block.warps[warp_index];
    const std::uint32_t self = thread.lane();
    const auto matches = [&](const Collective& open) {
        return open.operation == operation && open.mask == mask && same_line(open.where, where) &&
               (open.arrived >> self & 1u) == 0;
    };
    auto at = std::find_if(warp.open.begin(), warp.open.end(), matches);
    if (at == warp.open.end()) {
        warp.open.emplace_back();
        at = warp.open.end() - 1;
        at->operation = operation;
        at->mask = mask;
        at->where = where;
    }
    at->arrived |= 1u << self;
    at->values[self] = value;
    at->lanes[self] = std::uint8_t(lane & 31);  // PTX uses the lower five bits
    at->widths[self] = std::uint8_t(width);
    check_mask(thread, warp, *at);
    if (at->arrived != (mask & warp.present)) {
        wait(ThreadState::at_warp_collective, operation_name(operation), where);
        return thread.result;
    }
    const Collective whole = *at;
    warp.open.erase(at);
    complete(block, warp_index, whole);
    preemption_point();
    return thread.result;
}

unsigned active_mask() {
    const Thread& thread = *current.thread;
    const Warp& warp = thread.block->warps[thread.index / 32];
    return warp.present & ~warp.exited;
}

void leave_warp(Thread& thread) {
    Warp& warp = thread.block->warps[thread.index / 32];
    warp.exited |= 1u << thread.lane();
    for (const Collective& open : warp.open) {
        if (open.mask >> thread.lane() & 1u) {
            report_exited(*thread.block, thread.index / 32, open, 1u << thread.lane());
        }
    }
}

}  // namespace emulator
