// Fuzzes the expressions of a family, which SQLite evaluates for every candidate.
#include <string>

#include "db/space.h"
#include "tests/fuzz/only_errors.h"
#include "tuner/core/family.h"

namespace {

/// Returns a family whose only derived value beyond the required ones is the expression.
redtune::Family family_with(redtune::Expression expression) {
    using namespace redtune;
    Family family;
    family.name = "fuzzed";
    family.kernel = "fuzzed";
    family.shapes = {"whole"};
    family.path = "fuzz.cuh";
    family.parameters = {{"block", {std::int64_t{32}, std::int64_t{256}}},
                         {"unroll", {std::int64_t{1}, std::int64_t{4}}}};
    family.where = {std::move(expression)};
    return family;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    Expression expression;
    expression.sql = std::string(fuzz::text_of(data, size));
    const Family family = family_with(expression);
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.compute_major = 9;
    device.sm_count = 132;
    device.l2_bytes = 62'914'560;
    device.max_shared_bytes_per_block = 232'448;
    fuzz::only_errors([&] { db::candidates(family, device, make_problem("sum", Type::f32), 1 << 20); });
    return 0;
}
