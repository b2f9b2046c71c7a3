#include "compare/call_times.h"

#include <array>
#include <chrono>
#include <functional>
#include <vector>

#include "compare/cub_reduce.h"
#include "redtune/error.h"
#include "tuner/core/statistics.h"
#include "tuner/gpu/launch.h"

namespace redtune::compare {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 101;
// Fewer calls than the driver's queue holds, so that no call waits for the GPU.
constexpr int calls_per_round = 100;
constexpr int rounds_in_a_row = 15;
constexpr int calls_in_a_row = 2000;

double microseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void* pointer_to(const gpu::DeviceBuffer& buffer) {
    return reinterpret_cast<void*>(buffer.address());
}

void check_call(CallStatus status) {
    if (status != CallStatus::ok) throw Error(std::string(last_error()));
}

/// The launches of a call, whose arguments are computed beforehand.
struct PreparedLaunches {
    struct Step {
        CUfunction function = nullptr;
        Launch launch;
        launch::Arguments arguments;
    };

    void enqueue(CUstream stream) {
        for (Step& step : steps) {
            void* arguments[] = {&step.arguments};
            gpu::launch(step.function, {step.launch.grid, 1, 1}, {step.launch.block, 1, 1}, step.launch.shared_bytes,
                        stream, arguments, {step.launch.cluster, step.launch.pdl});
        }
    }

    std::vector<Step> steps;
};

/// Makes `calls` calls and returns the host time of one. The stream is idle before, and after.
double host_time(const std::function<void()>& call, const gpu::Stream& stream, int calls) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    const double time = microseconds_since(begin) / calls;
    stream.synchronize();
    return time;
}

/// Makes `calls` calls and returns the time per call until the last one is done.
double time_in_a_row(const std::function<void()>& call, const gpu::Stream& stream, int calls) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    stream.synchronize();
    return microseconds_since(begin) / calls;
}

double median_difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
    return median(differences);
}

}  // namespace

CallTimer::CallTimer(const Problem& problem, std::uint64_t largest_n, const Catalog& catalog, jit::Compiler& compiler,
                     std::span<const Family> families, Session& session)
    : problem_(problem),
      catalog_(catalog),
      session_(session),
      loader_(compiler, families, problem),
      input_(bytes_read(problem, largest_n)),
      output_(256) {
    input_.fill(0);
}

Reducer& CallTimer::reducer() {
    if (!reducer_) {
        ReducerOptions options;
        options.catalog = &catalog_;
        reducer_.emplace(problem_, options);
    }
    return *reducer_;
}

void CallTimer::reduce_with_pool(std::uint64_t n) {
    check_call(reducer().reduce(pointer_to(input_), n, pointer_to(output_), session_.stream().handle()));
}

FirstCall CallTimer::first_call(std::uint64_t n) {
    FirstCall times;
    auto begin = Clock::now();
    reducer();
    times.reducer_ms = microseconds_since(begin) / 1e3;
    begin = Clock::now();
    reducer().prepare(n);
    times.prepare_ms = microseconds_since(begin) / 1e3;
    begin = Clock::now();
    reduce_with_pool(n);
    session_.stream().synchronize();
    times.reduce_ms = microseconds_since(begin) / 1e3;
    return times;
}

CallTimes CallTimer::run(std::uint64_t n) {
    reducer().prepare(n);
    const gpu::Stream& stream = session_.stream();
    gpu::DeviceBuffer workspace(reducer().workspace_bytes());
    workspace.fill(0);

    const std::optional<Match> match = reducer().configuration(n);
    if (!match) throw Error(reducer().why_not(n));
    const launch::LoadedKernel kernel = loader_.load(*match);
    gpu::DeviceBuffer launch_workspace(match->plan.workspace_bytes);
    launch_workspace.fill(0);
    PreparedLaunches launches;
    for (const Launch& step : match->plan.launches()) {
        launches.steps.push_back({kernel.kernels[static_cast<std::size_t>(step.role)], step,
                                  launch::arguments_of(match->plan, step, {input_.address()}, output_.address(),
                                                       launch::WorkspaceParts::of(launch_workspace.address()))});
    }
    const std::string type(to_string(problem_.input));
    const CubCall cub{problem_.op, type, "default", 0};
    gpu::DeviceBuffer cub_workspace(cub_workspace_bytes(cub, n));

    const std::function<void()> with_pool = [&] { reduce_with_pool(n); };
    const std::function<void()> with_cub = [&] {
        cub_reduce(cub, pointer_to(cub_workspace), cub_workspace.size(), pointer_to(input_), pointer_to(output_), n,
                   stream.handle());
    };
    const std::array<std::function<void()>, 4> ways = {
        [&] { launches.enqueue(stream.handle()); },
        [&] {
            check_call(reducer().reduce(pointer_to(input_), n, pointer_to(output_), stream.handle(),
                                        {pointer_to(workspace), workspace.size()}));
        },
        with_pool, with_cub};

    std::array<std::vector<double>, 4> host;
    for (const auto& way : ways) host_time(way, stream, calls_per_round);  // the first calls take longer
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const std::size_t way = (static_cast<std::size_t>(round) + i) % ways.size();
            host[way].push_back(host_time(ways[way], stream, calls_per_round));
        }
    }
    std::vector<double> ours_in_a_row;
    std::vector<double> cub_in_a_row;
    for (int round = 0; round < rounds_in_a_row; ++round) {
        ours_in_a_row.push_back(time_in_a_row(with_pool, stream, calls_in_a_row));
        cub_in_a_row.push_back(time_in_a_row(with_cub, stream, calls_in_a_row));
    }
    return {n,
            median(host[0]),
            median(host[1]),
            median(host[2]),
            median(host[3]),
            median_difference(host[1], host[0]),
            median_difference(host[2], host[0]),
            median(ours_in_a_row),
            median(cub_in_a_row)};
}

}  // namespace redtune::compare
