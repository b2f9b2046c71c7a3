#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"
#include "tuner/search/executor.h"

/// The messages between a process that tunes (the parent) and the worker process that measures for it. A request is
/// answered by one reply; PrepareProgress may come before the reply to a PrepareRequest. Each message is one line of
/// JSON; trials and measurements are written as in core/serialisation.h. A message with an unknown, missing or
/// superfluous member is refused.
namespace redtune::search {

/// The device, the problem and the families that a worker measures.
struct WorkerTask {
    int ordinal = -1;       ///< ordinal of the GPU; -1: the device is a recording
    std::string recording;  ///< name of the recording; empty: the device is a GPU
    Problem problem;
    std::uint64_t largest_n = 1;         ///< the largest number of elements that will be measured
    std::vector<std::string> templates;  ///< paths of the user's own families
    std::string operator_file;           ///< path of the user's own operator; empty: none
    std::string code;                    ///< hash of the code of all families (code_of()), which the worker compares
    /// The architecture, such as sm_90, for which the worker compiles kernels of other workers. It measures nothing and
    /// opens no device. Empty: it measures.
    std::string compiles_for;

    friend bool operator==(const WorkerTask&, const WorkerTask&) = default;
};

/// Makes the worker's executor. The first request; the reply is Opened.
struct OpenRequest {
    WorkerTask task;
    friend bool operator==(const OpenRequest&, const OpenRequest&) = default;
};

/// Executor::use_data() with parse_data(argument). The reply is DataReady.
struct DataRequest {
    std::string argument;
    friend bool operator==(const DataRequest&, const DataRequest&) = default;
};

/// A part of the trials of Executor::prepare(). Only the last part is answered, by Prepared, once all are prepared.
struct PrepareRequest {
    std::vector<Trial> trials;
    bool is_last = true;
    friend bool operator==(const PrepareRequest&, const PrepareRequest&) = default;
};

/// Executor::measure(). The reply is Measured with one measurement, or TrialLost.
struct MeasureRequest {
    Trial trial;
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    Stage stage = Stage::screen;
    double best_us = 0;
    bool skips_hard_sizes = false;  ///< whether Executor::skip_hard_sizes() is called before
    friend bool operator==(const MeasureRequest&, const MeasureRequest&) = default;
};

/// Executor::compare(). The reply is Measured with one measurement for each trial, or TrialLost.
struct CompareRequest {
    std::vector<Trial> trials;
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::uint32_t rounds = 0;
    friend bool operator==(const CompareRequest&, const CompareRequest&) = default;
};

using WorkerRequest = std::variant<OpenRequest, DataRequest, PrepareRequest, MeasureRequest, CompareRequest>;

/// The device and the toolchain of the worker. The parent compares them with those that it planned for. Of a worker
/// that only compiles, only the versions of redtune and NVRTC mean anything.
struct Opened {
    std::string device;
    std::string uuid;
    std::string source;
    ToolchainInfo toolchain;
    friend bool operator==(const Opened&, const Opened&) = default;
};

/// The name of the data that is used from now on (timing::Data::name).
struct DataReady {
    std::string name;
    friend bool operator==(const DataReady&, const DataReady&) = default;
};

struct Prepared {
    timing::TimeSpent spent;  ///< Executor::take_spent()
    friend bool operator==(const Prepared&, const Prepared&) = default;
};

struct Measured {
    std::vector<Measurement> measurements;
    timing::TimeSpent spent;  ///< Executor::take_spent()
    friend bool operator==(const Measured&, const Measured&) = default;
};

/// The trials of the request made the device unusable for this worker, which ends after this reply.
struct TrialLost {
    Status status = Status::fault;
    std::string reason;
    friend bool operator==(const TrialLost&, const TrialLost&) = default;
};

/// The request failed with an exception of this class.
struct RequestFailed {
    enum class Cause : std::uint8_t {
        input,   ///< InputError
        device,  ///< DeviceError; the worker ends after this reply
        other
    } cause = Cause::other;
    std::string message;
    friend bool operator==(const RequestFailed&, const RequestFailed&) = default;
};

using WorkerReply = std::variant<PrepareProgress, Opened, DataReady, Prepared, Measured, TrialLost, RequestFailed>;

/// Returns a hash of the code of all families.
std::string code_of(std::span<const Family> families);

/// @throws InputError for a trial that cannot be written as JSON.
std::string to_message(const WorkerRequest& request);
std::string to_message(const WorkerReply& reply);

/// Return what to_message() wrote.
/// @throws InputError "a request cannot be read: what is wrong".
WorkerRequest request_from_message(std::string_view message);
WorkerReply reply_from_message(std::string_view message);

}  // namespace redtune::search
