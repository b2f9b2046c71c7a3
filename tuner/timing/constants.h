#pragma once

#include <cstddef>
#include <cstdint>

/// The constants of the timing method, which docs/method.md explains. Figures of an H200 were measured in November
/// 2026.
namespace redtune::timing {

// Constants of one sample.

/// Minimum time of a graph of K calls, while screening and in later stages. The resolution of events, about 0.5 us, is
/// 0.5 % and 0.1 % of it.
inline constexpr double screen_graph_us = 100;
inline constexpr double long_graph_us = 500;
/// A graph has at least min_calls calls if a call is shorter than short_call_us.
inline constexpr double short_call_us = 50;
inline constexpr std::uint32_t min_calls = 16;
/// Maximum number of calls K in a graph. With more calls, capturing the graph would take longer than running it.
inline constexpr std::uint32_t max_calls = 1000;
/// Assumed minimum time of any call, about that of the fastest reduction on an H200. It affects only K, not the
/// results.
inline constexpr double least_call_us = 1.2;
/// Assumed memory bandwidth of a device that does not report its memory clock. It affects only K, not the results.
inline constexpr double assumed_gb_per_s = 1000;

/// In the cold regime, the inputs of a sample span at least cold_span_of_l2 times the L2, and flush_span_of_l2 times
/// the L2 is read before each sample.
inline constexpr double cold_span_of_l2 = 4;
inline constexpr double flush_span_of_l2 = 2;
/// Minimum number of bytes read before each sample, for devices that do not report the size of their L2.
inline constexpr std::uint64_t least_flush_bytes = std::uint64_t{32} << 20;

/// Maximum device memory for the inputs of a sample.
inline constexpr std::uint64_t input_pool_bytes = std::uint64_t{4} << 30;
/// Minimum size of an input buffer. Checker::check_hard_sizes() needs this many bytes even if only tiny sizes are
/// tuned.
inline constexpr std::uint64_t least_buffer_bytes = std::uint64_t{4} << 20;
/// An input buffer takes at most the free memory divided by this, so that the other buffers fit too.
inline constexpr std::uint64_t buffer_part_of_free_memory = 2;
/// Inputs begin at multiples of this, the alignment that cudaMalloc guarantees.
inline constexpr std::uint64_t input_alignment = 256;
/// Limits of the cache of expected results: the number of its entries, and the bytes of one entry.
inline constexpr std::size_t max_kept_results = 512;
inline constexpr std::size_t max_kept_bytes = 4096;

/// Alignment of outputs. It puts the results of different calls into different sectors of L2, as they would be in a
/// program.
inline constexpr std::uint64_t output_alignment = 256;
/// Maximum memory for the outputs of a sample. If the calls need more, several calls write the same output.
inline constexpr std::uint64_t max_output_bytes = std::uint64_t{1} << 28;

// Numbers of samples.

inline constexpr std::size_t screen_samples = 5;
/// A survivor is sampled until the 95 % interval of its median is at most target_interval of the median, within the
/// bounds on the number of samples and on their time.
inline constexpr int survivor_min_samples = 20;
inline constexpr int survivor_max_samples = 200;
inline constexpr double target_interval = 0.005;
inline constexpr double max_sampling_us = 500'000;
/// Number of rounds in which finalists are timed, in alternating order. It is even, so that each order occurs equally
/// often.
inline constexpr int final_rounds = 24;
/// The same for quick searches, and on each unit if several of them time the finalists of a cell in one sweep.
inline constexpr int fewer_final_rounds = 12;
/// Number of samples of the empty kernels; their median is the floor. One more sample is discarded as warm-up.
inline constexpr int floor_samples = 5;

// Limits of the SM clock.

/// A sample is rejected if the SM clock is below throttle_limit of nominal, and taken again, until max_rejected samples
/// have been rejected.
inline constexpr double throttle_limit = 0.75;
inline constexpr int max_rejected = 20;
/// Time during which the clock probe counts cycles after each sample. The resolution of the global timer, 1 us, is 10 %
/// of it.
inline constexpr std::uint64_t clock_probe_ns = 10'000;
/// Before the first measurement the device is kept busy until its SM clock reaches warm_clock_part of nominal, for at
/// most warm_up_ms.
inline constexpr double warm_clock_part = 0.95;
inline constexpr double warm_up_ms = 1500;

// Constants of the plausibility tests (plausibility.h).

/// A time may be below the floor, the time of empty kernels, by this fraction. If launching millions of blocks takes
/// all of a kernel's time, time and floor are equal up to noise.
inline constexpr double floor_margin = 0.05;
/// The ceiling of warm bandwidths is this factor times the bandwidth at which SupportKernels::read() read the L2.
inline constexpr double l2_ceiling_margin = 1.10;
/// The L2 bandwidth is the best of l2_samples samples for each of several buffer sizes; a sample is l2_reads reads of
/// the buffer.
inline constexpr int l2_samples = 5;
inline constexpr int l2_reads = 20;

// Early stop of slow candidates.

/// While screening, a candidate is stopped as soon as it has early_stop_samples samples and the shortest of them
/// exceeds early_stop_cutoff times the best median of the cell.
inline constexpr std::size_t early_stop_samples = 2;
inline constexpr double early_stop_cutoff = 1.3;
/// A candidate is not sampled at all if the call that checked its result took more than this factor times the best
/// median, and took it again. That call is launched alone, so that its time includes the launch latency; therefore only
/// calls longer than short_call_us are judged by it.
inline constexpr double early_stop_call_cutoff = 3;

/// Minimum latency of memory and of L2, for the lower bound by Little's law. An H200 has 0.40 and 0.18 us.
inline constexpr double least_memory_latency_us = 0.35;
inline constexpr double least_l2_latency_us = 0.15;
/// Maximum number of resident blocks per SM, over all devices of compute capability 7.5 to 12.
inline constexpr std::uint32_t most_blocks_per_sm = 32;

// Choice of survivors and finalists.

/// Screened candidates within survivor_within of the best time become survivors, at most most_survivors of them.
/// Survivors within finalist_within of the best time become finalists, at most most_finalists of them.
inline constexpr double survivor_within = 0.05;
inline constexpr std::size_t most_survivors = 16;
inline constexpr double finalist_within = 0.02;
inline constexpr std::size_t most_finalists = 5;
/// Replace finalist_within and most_finalists if finalists are compared on several kinds of data. They are larger,
/// because a candidate that is slower on the first kind may be the one whose time depends least on the data.
inline constexpr double finalist_within_on_data = 0.05;
inline constexpr std::size_t most_finalists_on_data = 8;

// Placement of the workspace.

/// Size and number of the granules of memory that are probed to place the workspace near a grid's first block. On an
/// H200 the latency changes every 4 KiB.
inline constexpr std::uint64_t granule_bytes = 1024;
inline constexpr std::uint32_t granules = 256;
/// Number of consecutive granules that must be near the grid's first block. The header and the slots of a hundred
/// blocks fit into two.
inline constexpr std::size_t near_granules = 2;
/// Poisoned bytes after each output, which a call must not change.
inline constexpr std::uint64_t output_guard_bytes = 256;
/// Poisoned bytes after a workspace, which show writes past its end.
inline constexpr std::uint64_t workspace_guard_bytes = 256;

}  // namespace redtune::timing
