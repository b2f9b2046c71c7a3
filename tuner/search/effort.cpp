#include "tuner/search/effort.h"

#include "tuner/core/named.h"

namespace redtune::search {

namespace {

constexpr std::array efforts = {Named<Effort>{"quick", Effort::quick}, Named<Effort>{"exhaustive", Effort::exhaustive}};

}  // namespace

Effort parse_effort(std::string_view name) {
    return parse_named(efforts, "effort", name);
}

}  // namespace redtune::search
