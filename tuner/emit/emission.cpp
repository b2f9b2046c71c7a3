#include "tuner/emit/emission.h"

#include <algorithm>
#include <set>

#include "tuner/emit/configuration_collector.h"
#include "tuner/emit/extend_to_any_n.h"
#include "tuner/emit/fill_in.h"
#include "tuner/emit/inlined_sources.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emit {

namespace {

/// Collects where the configurations of all intervals come from.
void add_provenance(Emission& emission, const Catalog& catalog, const ProvenanceFinder& measurements) {
    const Request& request = emission.request;
    std::set<std::uint64_t> seen;
    for (const SizeInterval& interval : emission.intervals) {
        const std::uint64_t n = std::min(interval.last_n, request.most);
        const auto match = catalog.find(request.problem, n, request.device, request.regime);
        if (match && seen.insert(match->tuned_n).second) measurements.add(*match, emission.provenance);
    }
}

void add_sources(Emission& emission, const jit::SourceSet& sources) {
    std::vector<std::string> paths = sources.operator_paths();
    for (const Kernel& kernel : emission.kernels) {
        if (std::find(paths.begin(), paths.end(), kernel.name.source) == paths.end()) {
            paths.push_back(kernel.name.source);
        }
    }
    InlinedSources inlined = inline_sources(sources, paths);
    emission.device_code = std::move(inlined.text);
    emission.system_includes = std::move(inlined.system_includes);
    emission.reduction = launch::device_problem(emission.request.problem);
    for (Kernel& kernel : emission.kernels) {
        kernel.name.expression = replace_all(kernel.name.expression, emission.reduction, "Reduction");
    }
}

}  // namespace

std::optional<Emission> make_emission(const Request& request, const Catalog& catalog,
                                      const ProvenanceFinder& measurements, const jit::SourceSet& sources,
                                      const std::vector<Family>& families) {
    const std::optional<DeviceInfo> device = measurements.find_device(request.device);
    if (!device || !catalog.find(request.problem, request.least, request.device, request.regime)) return std::nullopt;
    Emission emission;
    emission.request = request;
    emission.device = *device;
    ConfigurationCollector collector(emission, catalog, families);
    const std::uint64_t unit = shape_of(request.problem).unit();
    emission.intervals = find_intervals({request.least, request.most, unit},
                                        catalog.tuned_sizes(request.problem, request.device, request.regime),
                                        [&](std::uint64_t n) { return collector.configuration_at(n); });
    extend_to_any_n(emission, collector, catalog);
    add_provenance(emission, catalog, measurements);
    add_sources(emission, sources);
    return emission;
}

}  // namespace redtune::emit
