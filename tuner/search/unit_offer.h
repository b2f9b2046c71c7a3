#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tuner/core/device_info.h"

namespace redtune::search {

/// The message that a rank sends to rank 0 when it connects: one of its devices, on which a worker will answer the
/// requests that follow on the connection.
struct UnitOffer {
    std::string token;      ///< the secret of rank_address.h
    std::size_t rank = 0;   ///< number of the rank
    std::size_t units = 1;  ///< number of devices that the rank offers, each with a connection of its own
    std::string label;      ///< what people read: "GPU 0"
    int ordinal = -1;       ///< ordinal of the GPU on the rank's machine; -1: the device is a recording
    std::string recording;  ///< name of the recording; empty: the device is a GPU
    DeviceInfo device;
    ToolchainInfo toolchain;

    /// Returns the name of the unit among those of all ranks: "rank 1: GPU 0".
    std::string name() const { return "rank " + std::to_string(rank) + ": " + label; }
};

std::string to_message(const UnitOffer& offer);

/// Returns what to_message() wrote.
/// @throws InputError "an offer cannot be read: what is wrong".
UnitOffer offer_from_message(std::string_view message);

}  // namespace redtune::search
