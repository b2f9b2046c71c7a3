#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers that the timing method consists of; docs/method.md explains what they are for. Figures "seen on an H200"
/// are of November 2026.
namespace redtune::timing {

// A sample.

/// Least time of a graph of K calls, while screening and later. An event's resolution of about 0.5 us is then 0.25 % or
/// 0.1 % of it.
inline constexpr double screen_graph_us = 200;
inline constexpr double long_graph_us = 500;
/// Calls shorter than this are timed at least min_calls at a time.
inline constexpr double short_call_us = 50;
inline constexpr std::uint32_t min_calls = 16;
/// More calls would make capturing a graph take longer than running it.
inline constexpr std::uint32_t max_calls = 1000;
/// Least time of any call, about what the fastest reduction takes on an H200. Only K depends on it, no result.
inline constexpr double least_call_us = 1.2;
/// Memory bandwidth of a device that does not report its memory clock. Only K depends on it, no result.
inline constexpr double assumed_gb_per_s = 1000;

/// Cold: the inputs of a sample span at least this many times L2, and this many times L2 is read before each sample.
inline constexpr double cold_span_of_l2 = 4;
inline constexpr double flush_span_of_l2 = 2;
/// Least bytes read before each sample, for devices that do not report their L2.
inline constexpr std::uint64_t least_flush_bytes = std::uint64_t{32} << 20;

/// Inputs of a sample lie within this much device memory.
inline constexpr std::uint64_t input_pool_bytes = std::uint64_t{4} << 30;
/// Least size of an input buffer: the hard sizes need some elements even where only tiny sizes are tuned.
inline constexpr std::uint64_t least_buffer_bytes = std::uint64_t{4} << 20;
/// An input buffer takes at most one part in this many of the free memory, so that the others fit too.
inline constexpr std::uint64_t buffer_part_of_free_memory = 2;
/// Inputs begin at multiples of this, which is what cudaMalloc guarantees.
inline constexpr std::uint64_t input_alignment = 256;
/// Expected results that are kept: at most this many, and none larger than this.
inline constexpr std::size_t max_kept_results = 512;
inline constexpr std::size_t max_kept_bytes = 4096;

/// Results of different calls lie in different sectors of L2, as they would in a program.
inline constexpr std::uint64_t output_alignment = 256;
/// Outputs of a sample take at most this much memory; more calls than fit share places.
inline constexpr std::uint64_t max_output_bytes = std::uint64_t{1} << 28;

// How many samples.

inline constexpr std::size_t screen_samples = 10;
/// A survivor is sampled until the 95 % interval of its median is this part of the median, within these bounds.
inline constexpr int survivor_min_samples = 20;
inline constexpr int survivor_max_samples = 200;
inline constexpr double target_interval = 0.005;
inline constexpr double max_sampling_us = 500'000;
/// Rounds in which finalists are timed, in alternating order. Even, so that each order occurs equally often.
inline constexpr int final_rounds = 24;
/// Samples of the empty kernels whose median is the floor; one more is discarded as warm-up.
inline constexpr int floor_samples = 5;

// The SM clock.

/// A sample at less than this part of the nominal SM clock is rejected and taken again, this many times at most.
inline constexpr double throttle_limit = 0.75;
inline constexpr int max_rejected = 20;
/// How long the clock probe counts cycles after each sample: 1 us of the global timer's resolution is 10 % of it.
inline constexpr std::uint64_t clock_probe_ns = 10'000;
/// Before the first measurement the device is kept busy until its SM clock is at this part of nominal, but not longer
/// than this.
inline constexpr double warm_clock_part = 0.95;
inline constexpr double warm_up_ms = 1500;

// Plausibility.

/// A time may be this part below the floor of empty kernels: where launching millions of blocks is all that takes time,
/// the two are equal up to noise.
inline constexpr double floor_margin = 0.05;
/// Warm: the ceiling is the bandwidth that the cache reader reached, times this.
inline constexpr double l2_ceiling_margin = 1.10;
/// The cache reader's bandwidth is the best of this many samples of this many reads, over each of several buffer sizes.
inline constexpr int l2_samples = 5;
inline constexpr int l2_reads = 20;

// Early stop.

/// While screening, a candidate is stopped once it has this many samples and the least of them is this many times the
/// best median of the cell.
inline constexpr std::size_t early_stop_samples = 2;
inline constexpr double early_stop_cutoff = 1.3;
/// A candidate is not sampled at all if its checked call took this many times the best median. A checked call is a
/// single launch whose latency is in its time, so only calls longer than short_call_us are judged by it.
inline constexpr double early_stop_call_cutoff = 3;

/// Least latency of memory and of L2, for the lower bound that Little's law gives; seen on an H200 are 0.40 and 0.18.
inline constexpr double least_memory_latency_us = 0.35;
inline constexpr double least_l2_latency_us = 0.15;
/// The most blocks that are resident on an SM of any device of compute capability 7.5 to 12.
inline constexpr std::uint32_t most_blocks_per_sm = 32;

// Choice.

/// Screened candidates within this part of the best become survivors, and survivors finalists; so many at most.
inline constexpr double survivor_within = 0.05;
inline constexpr std::size_t most_survivors = 16;
inline constexpr double finalist_within = 0.02;
inline constexpr std::size_t most_finalists = 5;

// Placement of the workspace.

/// Granules that are probed for a workspace near the first block. The distance changed every 4 KiB on an H200.
inline constexpr std::uint64_t granule_bytes = 1024;
inline constexpr std::uint32_t granules = 256;
/// Granules that must be near: the header and the slots of a hundred blocks take two.
inline constexpr std::size_t near_granules = 2;
/// Poisoned bytes after a workspace, which show writes past its end.
inline constexpr std::uint64_t workspace_guard_bytes = 256;

}  // namespace redtune::timing
