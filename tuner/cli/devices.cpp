#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_name.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

struct Property {
    Column column;
    std::function<Cell(const gpu::Device&)> of;
};

constexpr double mib = 1 << 20;
constexpr double gib = 1 << 30;

template <class Integer>
Cell integer_cell(Integer number) {
    return static_cast<std::int64_t>(number);
}

template <class Value>
Cell optional(const std::optional<Value>& value) {
    if (!value) return std::monostate();
    if constexpr (std::is_same_v<Value, bool>) {
        return *value;
    } else {
        return integer_cell(*value);
    }
}

Cell text(const std::string& value) {
    return value.empty() ? Cell() : Cell(value);
}

std::vector<Property> properties() {
    using D = const gpu::Device&;
    return {{{"device"}, [](D d) { return integer_cell(d.ordinal); }},
            {{"name"}, [](D d) { return text(d.info.name); }},
            {{"compute_capability"}, [](D d) { return text(d.info.compute_capability()); }},
            {{"sms"}, [](D d) { return integer_cell(d.info.sm_count); }},
            {{"l2_mib", 1}, [](D d) { return static_cast<double>(d.info.l2_bytes) / mib; }},
            {{"memory_gib", 1}, [](D d) { return static_cast<double>(d.info.memory_bytes) / gib; }},
            {{"peak_gb_per_s", 0}, [](D d) { return d.info.peak_gb_per_s > 0 ? Cell(d.info.peak_gb_per_s) : Cell(); }},
            {{"sm_clock_mhz"}, [](D d) { return optional(d.now.sm_mhz); }},
            {{"max_sm_clock_mhz"}, [](D d) { return optional(d.max_sm_mhz); }},
            {{"memory_clock_mhz"}, [](D d) { return optional(d.now.memory_mhz); }},
            {{"max_memory_clock_mhz"}, [](D d) { return optional(d.max_memory_mhz); }},
            {{"temperature_c"}, [](D d) { return optional(d.now.temperature_c); }},
            {{"ecc"}, [](D d) { return optional(d.ecc); }},
            {{"mig"}, [](D d) { return optional(d.mig); }},
            {{"mig_profile"}, [](D d) { return text(d.info.mig_profile); }},
            {{"driver"}, [](D d) { return text(d.driver_version); }},
            {{"driver_cuda"},
             [](D d) { return text(fmt::format("{}.{}", d.cuda_version / 1000, d.cuda_version % 1000 / 10)); }},
            {{"uuid"}, [](D d) { return text(d.info.uuid); }}};
}

Table one_row_each(const std::vector<gpu::Device>& devices) {
    std::vector<Column> columns;
    for (const Property& property : properties()) columns.push_back(property.column);
    Table table(columns);
    for (const gpu::Device& device : devices) {
        std::vector<Cell> row;
        for (const Property& property : properties()) row.push_back(property.of(device));
        table.add(row);
    }
    return table;
}

std::string readable(const Cell& cell, int decimals) {
    if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.{}f}", *number, decimals);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
    if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
    if (const auto* words = std::get_if<std::string>(&cell)) return *words;
    return "-";
}

/// Prints one line for each property, because a row with all properties is wider than a terminal.
void print_list(const std::vector<gpu::Device>& devices) {
    for (const gpu::Device& device : devices) {
        if (&device != devices.data()) fmt::print("\n");
        for (const Property& property : properties()) {
            fmt::print("{:<21} {}\n", property.column.name, readable(property.of(device), property.column.decimals));
        }
    }
}

/// Returns the GPU that the --device argument names; all GPUs of this machine if `text` is empty.
/// @throws InputError if the text names none of them
std::vector<gpu::Device> named_gpus(const std::string& text) {
    std::vector<gpu::Device> devices = gpu::list_devices();
    if (text.empty() || devices.empty()) return devices;
    std::vector<KnownDevice> known;
    for (const gpu::Device& device : devices) known.push_back({device.info.name, device.ordinal, {}});
    const std::optional<KnownDevice> chosen = find_device(text, known);
    if (!chosen) {
        throw InputError(fmt::format("--device '{}' names no GPU of this machine; allowed are {}{}", text,
                                     list_devices_for_people(known), suggest_device(text, known)));
    }
    std::erase_if(devices, [&](const gpu::Device& device) { return device.ordinal != chosen->ordinal; });
    return devices;
}

int run(const std::string& text, Format format) {
    const std::vector<gpu::Device> devices = named_gpus(text);
    if (devices.empty()) {
        throw DeviceError(fmt::format("{}; `redtune doctor` says how to get what is missing", gpu::why_no_device()));
    }
    if (format == Format::table) {
        print_list(devices);
    } else {
        one_row_each(devices).print(std::cout, format);
    }
    return done;
}

}  // namespace

void add_devices_command(CLI::App& app, int& exit_code) {
    auto format = std::make_shared<Format>(Format::table);
    auto device = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("devices", "GPUs of this machine: size, peak bandwidth, clocks, driver");
    command->add_option("--device", *device, "One GPU, by number or by a part of its name (default: all)");
    add_format_option(*command, *format);
    command->callback([device, format, &exit_code] { exit_code = run(*device, *format); });
}

}  // namespace redtune::cli
