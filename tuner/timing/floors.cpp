#include "tuner/timing/floors.h"

#include <algorithm>
#include <system_error>

#include "tuner/core/statistics.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/module.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/constants.h"

namespace redtune::timing {

Floors::Key Floors::key_of(const Request& request) {
    Key key{request.calls};
    for (const Launch& step : request.plan.launches()) {
        key.insert(key.end(), {step.grid, step.block, step.shared_bytes, step.cluster, step.pdl ? 1U : 0U});
    }
    return key;
}

double Floors::us(const Request& request) {
    if (request.plan.count == 0) return 0;
    const Key key = key_of(request);
    if (const auto found = floors_.find(key); found != floors_.end()) return found->second;
    if (!captured_.contains(key)) {
        const TimeAccount::Span span(account_, Activity::prepare);
        captured_.emplace(key, capture(request, stream_));
    }
    const gpu::Graph& graph = captured_.at(key);
    std::vector<double> samples;
    for (int i = 0; i <= floor_samples; ++i) {
        graph.launch(stream_);
        stream_.synchronize();
        if (i != 0) samples.push_back(gpu::elapsed_us(buffers_.begin, buffers_.end) / request.calls);
    }
    captured_.erase(key);
    return floors_[key] = median(samples);
}

/// Captures the graph of the launches of the calls, with empty kernels.
gpu::Graph Floors::capture(const Request& request, gpu::Stream& stream) const {
    const LaunchPlan& plan = request.plan;
    const auto launches = plan.launches();
    CUfunction empty = kernels_.empty_kernel(std::ranges::any_of(launches, &Launch::pdl));
    for (const Launch& step : launches) gpu::Module::allow_launches(empty, step.shared_bytes, step.cluster);
    return gpu::Graph::capture(stream, [&](CUstream capturing) {
        gpu::record_event_in_graph(buffers_.begin, capturing);
        for (std::uint32_t call = 0; call < request.calls; ++call) {
            launch::enqueue_empty(empty, call == 0 ? launch::without_leading_pdl(plan) : plan, capturing);
        }
        gpu::record_event_in_graph(buffers_.end, capturing);
    });
}

/// Captures the graphs that us() would capture.
void Floors::capture_missing(std::span<const Request> requests) {
    for (const Request& request : requests) {
        const Key key = key_of(request);
        if (request.plan.count == 0 || floors_.contains(key) || captured_.contains(key)) continue;
        captured_.emplace(key, capture(request, ahead_));
    }
}

Floors::Ahead::Ahead(Floors& floors, std::span<const Request> requests) : floors_(floors) {
    try {
        captured_ = std::async(std::launch::async, [&floors, context = gpu::CurrentContext(),
                                                    requests = std::vector(requests.begin(), requests.end())] {
            context.make_current();
            floors.capture_missing(requests);
        });
    } catch (const std::system_error&) {
        return;  // no more threads may be started here: us() captures them
    }
}

void Floors::Ahead::wait() {
    const TimeAccount::Span span(floors_.account_, Activity::prepare);
    if (captured_.valid()) captured_.wait();
}

}  // namespace redtune::timing
