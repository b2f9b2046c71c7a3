#pragma once

#include <map>
#include <optional>
#include <string>

#include "redtune/selector.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// Compares the software of measurements with the software at hand.
class StalenessTest {
  public:
    /// @param software empty: nothing is stale
    explicit StalenessTest(const std::optional<Software>& software);

    Staleness of(const TunedSize& tuned) const;

  private:
    std::string driver_version_;
    std::string nvrtc_version_;
    std::map<std::string, std::string> code_hashes_;  ///< by family
};

}  // namespace redtune::lookup
