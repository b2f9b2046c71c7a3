#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/store.h"
#include "redtune/parameter.h"

namespace redtune::report {

/// A candidate that differs from a configuration in the value of one parameter, with the times of both in the same
/// stage of a search.
struct OtherValue {
    Value value;
    double us = 0;            ///< time of the candidate
    double reference_us = 0;  ///< time of the configuration
    Stage stage = Stage::screen;

    double ratio() const { return us / reference_us; }
};

/// The effect of one parameter of a configuration.
struct ParameterWorth {
    std::string name;
    Value value;                     ///< of the configuration
    std::vector<OtherValue> others;  ///< the measured other values, the fastest first; empty: none was measured
};

/// Returns for each parameter of a configuration the candidates that differ only in this parameter. The times of two
/// measurements are compared only if both were taken in the same stage, with the same data, on the same unit and with
/// the same code.
/// @param measurements those of one device, problem, size and regime
std::vector<ParameterWorth> parameter_worths(const Configuration& configuration,
                                             std::span<const db::StoredMeasurement> measurements);

}  // namespace redtune::report
