#pragma once

#include <cstddef>
#include <cstdint>

/// Every number of the method in one place; docs/method.md explains each.
namespace redtune::timing {

/// A graph of K calls lasts at least this long, so that the tick of an event (about 0.5 us) is a small part of it.
inline constexpr double screen_graph_us = 200;
inline constexpr double long_graph_us = 500;

/// Calls shorter than this are never timed alone: K is then at least min_calls.
inline constexpr double short_call_us = 50;
inline constexpr std::uint32_t min_calls = 16;
inline constexpr std::uint32_t max_calls = 1000;

/// Cold: inputs that rotate span at least this many times L2, and before each graph this many times L2 is read.
inline constexpr double cold_span_of_l2 = 4;
inline constexpr double flush_span_of_l2 = 2;
/// Inputs rotate within this much device memory.
inline constexpr std::uint64_t input_pool_bytes = std::uint64_t{4} << 30;

/// Samples of a screening; of a survivor: at least, at most, and the 95 % interval of the median to stop at.
inline constexpr std::size_t screen_samples = 10;
inline constexpr int survivor_min_samples = 20;
inline constexpr int survivor_max_samples = 200;
inline constexpr double target_interval = 0.005;
inline constexpr double max_sampling_us = 500'000;
/// Rounds of the last few, in alternating order.
inline constexpr int final_rounds = 24;

/// A sample at less than this part of the nominal SM clock is set aside; so many times it is taken again.
inline constexpr double throttle_limit = 0.75;
inline constexpr int max_rejected = 20;
/// How long the SM clock is watched beside each sample.
inline constexpr std::uint64_t clock_probe_ns = 10'000;
/// Before the first measurement the device is kept busy until its clock is up, at most this long.
inline constexpr double spin_up_ms = 1500;

/// A time may lie this part below the floor of empty kernels: where launching millions of blocks is all that takes
/// time, the two are equal up to noise.
inline constexpr double floor_margin = 0.05;
/// Warm: what the cache reader reached, and this much more, is taken for the L2's ceiling.
inline constexpr double l2_ceiling_margin = 1.10;

/// While screening, a candidate is given up once the least of its samples, so many at least, is this many times the
/// best median of the cell so far.
inline constexpr double early_stop_cutoff = 1.3;
inline constexpr std::size_t early_stop_samples = 2;
/// It is not even sampled where the call that was checked took this many times the best. That is a single launch, with
/// what it takes to launch it in its time: such calls are judged only where they are longer than short_call_us.
inline constexpr double early_stop_call_cutoff = 3;

/// Memory and L2 answer no sooner than this after they were asked: what has less in flight cannot be faster. Seen on an
/// H200 are 0.40 and 0.18.
inline constexpr double least_memory_latency_us = 0.35;
inline constexpr double least_l2_latency_us = 0.15;
/// No device has more blocks than this resident on an SM.
inline constexpr std::uint32_t most_blocks_per_sm = 32;

/// Of a screening, those within this part of the best are timed longer, so many at most; of these, likewise, the last
/// few meet in interleaved rounds.
inline constexpr double survivor_within = 0.05;
inline constexpr std::size_t most_survivors = 16;
inline constexpr double finalist_within = 0.02;
inline constexpr std::size_t most_finalists = 5;

}  // namespace redtune::timing
