#pragma once

#include <string>

#include "tuner/core/json_object.h"

namespace redtune::report {

/// Returns a JSON value as text in one line. Bytes that are not UTF-8 become U+FFFD.
inline std::string compact(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace redtune::report
