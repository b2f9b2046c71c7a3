#pragma once

#include <string>

#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// The trial with the lowest median of a stage so far.
struct BestTrial {
    double us = 0;  ///< the median; 0: no trial is ok yet
    std::string configuration;

    void update(const Trial& trial, const Measurement& measurement) {
        if (measurement.status != Status::ok || (us != 0 && measurement.median_us >= us)) return;
        us = measurement.median_us;
        configuration = to_string(trial.configuration);
    }
};

}  // namespace redtune::search
