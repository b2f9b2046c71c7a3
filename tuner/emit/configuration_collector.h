#pragma once

#include <vector>

#include "redtune/catalog.h"
#include "tuner/core/configuration.h"
#include "tuner/emit/emission.h"

namespace redtune::emit {

/// Collects the configurations and kernels of an emission from look-ups, each once. The arguments of the constructor
/// must outlive it.
class ConfigurationCollector {
  public:
    ConfigurationCollector(Emission& emission, const Catalog& catalog, const std::vector<Family>& families)
        : emission_(emission), catalog_(catalog), families_(families) {}

    /// Returns the index of the configuration for n, which it adds if it is new.
    /// @throws InputError if there is none, or its family does not exist
    std::size_t configuration_at(std::uint64_t n);

    /// Returns the index of a match's configuration, which it adds if it is new.
    /// @throws InputError if its family does not exist
    std::size_t add(const Match& match);

  private:
    /// A configuration that was looked up, and its index.
    struct Seen {
        Configuration configuration;
        LaunchRule rule;
        std::size_t index = 0;
    };

    std::size_t intern(const Match& match);
    EmittedConfiguration describe(const Family& family, const Match& match);
    int kernel_index(jit::KernelName name);

    Emission& emission_;
    const Catalog& catalog_;
    const std::vector<Family>& families_;
    std::vector<Seen> seen_;
};

}  // namespace redtune::emit
