#pragma once

#include <string>
#include <string_view>

namespace redtune {

/// XXH3's 128 bits as 32 hexadecimal digits. Tells contents apart; not a defence against forgery.
std::string content_hash(std::string_view bytes);

}  // namespace redtune
