#pragma once

namespace redtune::search {

/// The times, in seconds, after which a worker process that has not answered is killed. They are far above what honest
/// requests take, because a limit that is too short would blame a candidate that is only slow.
struct WorkerLimits {
    /// Start of the program and a CUDA context on a busy machine: some seconds.
    double open_s = 60;
    /// Time without progress of a preparation: one NVRTC program takes seconds, on a slow core some ten. The first
    /// preparation also fills the inputs and warms the device up.
    double silence_s = 120;
    /// The least limit of a measurement. A screening takes some 10 ms; a survivor is sampled for half a second
    /// (timing::max_sampling_us), and for longer if samples are rejected.
    double least_measure_s = 10;
    /// A limit is this factor times the estimate of a screening, if that is longer. A full screening of the slowest
    /// candidate in the recording of an H200 takes some 30 times the estimate (docs/method.md).
    double screenings = 400;
    /// Added if the kernel of the trial may have to be compiled first: it was not prepared, and nobody says that it is
    /// in the cache.
    double compile_s = 60;
    /// How long a killed worker may take to release the device before the next one starts.
    double end_s = 10;
};

}  // namespace redtune::search
