#include "redtune/match.h"

namespace redtune {

std::string_view to_string(MatchKind kind) noexcept {
    switch (kind) {
        case MatchKind::exact:
            return "exact";
        case MatchKind::between:
            return "between";
        case MatchKind::beyond:
            return "beyond";
    }
    return "unknown";
}

}  // namespace redtune
