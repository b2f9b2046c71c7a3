// Fuzzes the structs of the C interface: their sizes, their numbers, and the texts to which they point.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "redtune.h"
#include "tests/fuzz/only_errors.h"

namespace {

/// Takes values from the fuzzer's input until it is used up.
class Source {
  public:
    Source(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    std::uint8_t byte() {
        if (size_ == 0) return 0;
        --size_;
        return *data_++;
    }
    std::uint64_t number() {
        std::uint64_t number = 0;
        for (int bytes = byte() % 9; bytes > 0; --bytes) number = number << 8 | byte();
        return number;
    }
    /// Returns null or a text that ends at a zero byte.
    const char* text() {
        if (byte() % 4 == 0) return nullptr;
        std::string text;
        for (std::uint8_t next = byte(); next != 0; next = byte()) text += static_cast<char>(next);
        texts_.push_back(std::make_unique<std::string>(std::move(text)));
        return texts_.back()->c_str();
    }

  private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::vector<std::unique_ptr<std::string>> texts_;
};

/// Returns a struct in a buffer that is as long as its `size` says, so that a read beyond it is found.
template <class Struct>
std::vector<unsigned char> sized(const Struct& known, Source& source) {
    const std::size_t size = source.byte() % 2 == 0 ? sizeof(Struct) : source.byte() % (2 * sizeof(Struct));
    std::vector<unsigned char> bytes(std::max(size, sizeof(known.size)));
    std::memcpy(bytes.data(), &known, std::min(bytes.size(), sizeof(Struct)));
    std::memcpy(bytes.data(), &size, sizeof(size));
    for (std::size_t i = sizeof(Struct); i < bytes.size(); ++i) bytes[i] = source.byte();
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Source source(data, size);
    redtune_problem problem = {};
    problem.op = source.text();
    problem.dtype = source.text();
    problem.accumulator = source.text();
    problem.output = source.text();
    problem.row_length = source.number();
    problem.columns = source.number();
    problem.run_to_run = source.byte() % 2;
    problem.operator_source = source.text();
    redtune_options options = {};
    options.workspaces = source.byte();
    options.no_pool = source.byte() % 2;
    options.max_workspace_bytes = source.number();
    const std::vector<unsigned char> problem_bytes = sized(problem, source);
    const std::vector<unsigned char> option_bytes = sized(options, source);
    redtune_reducer* reducer = nullptr;
    const redtune_status status =
        redtune_reducer_create(reinterpret_cast<const redtune_problem*>(problem_bytes.data()),
                               reinterpret_cast<const redtune_options*>(option_bytes.data()), &reducer);
    redtune::fuzz::expect((status == REDTUNE_OK) == (reducer != nullptr));
    redtune::fuzz::expect(status == REDTUNE_OK || std::strlen(redtune_last_error()) > 0);
    redtune_reducer_destroy(reducer);
    return 0;
}
