// Fuzzes the front matter of a file of families.
#include <string>

#include "tests/fuzz/only_errors.h"
#include "tuner/core/family.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    const std::string text(fuzz::text_of(data, size));
    fuzz::only_errors([&] { parse_families("fuzz.cuh", text); });
    fuzz::only_errors([&] { parse_families("fuzz.cuh", "/*redtune\n" + text + "\n*/"); });
    return 0;
}
