// Fuzzes a file with an operator of the user.
#include <string>

#include "tests/fuzz/only_errors.h"
#include "tuner/jit/operator_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    const std::string text(fuzz::text_of(data, size));
    fuzz::only_errors([&] {
        const jit::OperatorFile file = jit::read_operator_text(text);
        for (const auto& [input, types] : file.types) jit::make_problem(file, input);
    });
    return 0;
}
