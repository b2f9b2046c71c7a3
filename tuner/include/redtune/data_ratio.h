#pragma once

#include <optional>
#include <string>

namespace redtune {

/// Data on which a winner was compared with the other finalists of its size.
struct DataRatio {
    std::string data;             ///< name of the data: "uniform", "outlier", "file:x.bin@1a2b3c4d"
    std::optional<double> ratio;  ///< the winner's time over the best finalist's time; empty: it was not stored

    /// Compares all members.
    friend bool operator==(const DataRatio&, const DataRatio&) = default;
};

}  // namespace redtune
