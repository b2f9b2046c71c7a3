#include "tuner/cli/queried_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "redtune/error.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/device_name.h"
#include "tuner/cli/messages.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

std::vector<KnownDevice> with_names(const std::vector<std::string>& names) {
    std::vector<KnownDevice> devices;
    for (const std::string& name : names) devices.push_back({name, -1, {}});
    return devices;
}

std::string quoted(const std::vector<std::string>& names) {
    std::vector<std::string> each;
    for (const std::string& name : names) each.push_back('"' + name + '"');
    return fmt::format("{}", fmt::join(each, ", "));
}

QueriedDevice default_device(const Catalog& catalog) {
    const std::vector<gpu::Device> here = gpu::list_devices();
    if (!here.empty()) return {here.front().info, true};
    const std::vector<std::string> tuned = catalog.devices();
    if (tuned.size() == 1) {
        note("No GPU here: the answer is for {}, the only tuned device.\n", tuned.front());
        return {catalog.find_device(tuned.front()).value(), false};
    }
    if (tuned.empty()) {
        throw InputError(
            "there is no GPU here and no device has been tuned; run `redtune tune` on a machine with a GPU, give --db "
            "FILE, or name a well-known device with --device");
    }
    throw InputError(fmt::format("there is no GPU here; name a device with --device: {}", quoted(tuned)));
}

QueriedDevice described(const KnownDevice& device, const Catalog& catalog) {
    if (device.ordinal >= 0) return {gpu::device_at(device.ordinal).info, true};
    if (auto info = catalog.find_device(device.name)) return {std::move(*info), false};
    return {recorded_device(device.recording).value(), false};
}

}  // namespace

QueriedDevice choose_queried_device(const Catalog& catalog, const std::optional<std::string>& text) {
    if (!text) return default_device(catalog);
    // A whole name comes first. A part of a name may also be that of a recording or of a GPU of this machine.
    if (auto info = catalog.find_device(*text)) return {std::move(*info), false};
    const std::vector<std::string> tuned = catalog.devices();
    std::vector<KnownDevice> known = with_names(tuned);
    for (KnownDevice& device : known_devices()) known.push_back(std::move(device));
    std::vector<std::string> names;
    for (const DeviceInfo& device : well_known_devices()) names.push_back(device.name);
    if (const auto device = find_device(*text, known)) return described(*device, catalog);
    if (const auto device = find_device(*text, with_names(names))) return described(*device, catalog);
    refuse_missing_gpu(*text, known);
    for (const KnownDevice& device : with_names(names)) known.push_back(device);
    throw InputError(fmt::format("--device '{}' names no device that redtune knows{}; tuned: {}; well-known: {}", *text,
                                 suggest_device(*text, known), tuned.empty() ? "none" : quoted(tuned), quoted(names)));
}

}  // namespace redtune::cli
