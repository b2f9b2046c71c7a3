#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "tuner/core/device_info.h"
#include "tuner/core/launch_rule.h"
#include "tuner/emit/provenance.h"
#include "tuner/emit/size_intervals.h"
#include "tuner/jit/compiler.h"
#include "tuner/jit/source_set.h"

namespace redtune::emit {

/// The stand-alone code that is wanted.
struct Request {
    Problem problem;
    std::string device;  ///< the driver's name of the device
    Regime regime = Regime::cold;
    std::uint64_t least = 0;  ///< smallest n that the configurations are chosen for
    std::uint64_t most = 0;   ///< largest n that the configurations are chosen for
    std::string name;         ///< namespace of the C++ code, prefix of all names of the C code; an identifier
    std::string command;      ///< the command line that makes the code again
};

/// A kernel and the limits beyond the default ones that its launches need.
struct Kernel {
    jit::KernelName name;
    std::uint32_t shared_bytes = 0;  ///< most dynamic shared memory of a block
    std::uint32_t cluster = 1;       ///< most blocks of a cluster
};

/// A configuration that the code uses.
struct EmittedConfiguration {
    std::string text;  ///< "tile_per_block(block=128, unroll=4, vector_bytes=16, finish=packed)"
    LaunchRule rule;
    std::array<int, 3> kernels{-1, -1, -1};  ///< indices of its kernels by KernelRole; -1: no such launch

    bool is_same_code(const EmittedConfiguration& other) const {
        return rule == other.rule && kernels == other.kernels;
    }
};

/// Everything that the text of the code is made of.
struct Emission {
    Request request;
    DeviceInfo device;
    int minimum_compute_capability = 75;  ///< major x 10 + minor; the oldest device that can run all kernels
    bool destructive = false;             ///< a kernel overwrites its input
    std::vector<Kernel> kernels;
    std::vector<EmittedConfiguration> configurations;
    /// The configuration for each n from 0 on. If the last interval does not end with the largest 64-bit number, the
    /// code cannot reduce larger arrays.
    std::vector<SizeInterval> intervals;
    std::uint64_t zeroed_bytes = 0;     ///< zeroed part of a workspace, the same for every n
    std::uint64_t workspace_bytes = 0;  ///< workspace that serves every n of the request
    Provenance provenance;
    std::map<std::string, std::string> code_hashes;  ///< of the device code that the file contains, by family
    std::string device_code;                         ///< the device sources, each once, in the order of their includes
    std::vector<std::string> system_includes;        ///< headers of the toolkit that the sources include
    std::string reduction;                           ///< the problem as a type in device code
};

/// Finds the configurations for all sizes of the request, and collects their kernels and sources.
/// @param families those of `sources`
/// @return nullopt if the catalog has nothing for the device, problem and regime
/// @throws InputError if a winner's family does not exist (any more), or no configuration can be launched for some n;
/// DatabaseError if a database cannot be read
std::optional<Emission> make_emission(const Request& request, const Catalog& catalog,
                                      const ProvenanceFinder& measurements, const jit::SourceSet& sources,
                                      const std::vector<Family>& families);

}  // namespace redtune::emit
