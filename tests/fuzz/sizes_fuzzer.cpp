// Fuzzes the values of command-line options: sizes, lists of sizes, shapes and names.
#include <string>

#include "redtune/problem.h"
#include "redtune/size.h"
#include "tests/fuzz/only_errors.h"
#include "tuner/core/size_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    const std::string text(fuzz::text_of(data, size));
    fuzz::only_errors([&] {
        const std::uint64_t n = parse_size(text);
        fuzz::expect(parse_size(format_size(n)) == n);
    });
    fuzz::only_errors([&] { parse_sizes(text); });
    fuzz::only_errors([&] { parse_shape(text); });
    fuzz::only_errors([&] { parse_type(text); });
    fuzz::only_errors([&] { parse_regime(text); });
    fuzz::only_errors([&] { make_problem(text, Type::f32); });
    return 0;
}
