// Runs kernels and memsets, and checks the rules about workspaces at every launch.
#include <algorithm>
#include <cstring>

#include "tests/simulated_driver/state.h"

namespace simulated_driver {

namespace {

// The words of redtune's kernel arguments (kernels_src/problem.cuh).
enum Word { input, second, n, row_length, count, output, header, slots };
constexpr std::size_t header_words = 32;

/// Returns whether the bytes are inside one allocation.
bool is_allocated(std::uint64_t address, std::uint64_t bytes) {
    const auto& memory = state().memory;
    auto found = memory.upper_bound(address);
    if (found == memory.begin()) return false;
    --found;
    return address + bytes <= found->first + found->second.bytes;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

/// Writes the results of a sum of f32 over columns, also if the kernel leaves partials to a second launch.
void sum_columns(const std::vector<std::uint64_t>& words) {
    const std::uint64_t columns = words[row_length];
    const std::uint64_t rows = words[count];
    const auto* from = reinterpret_cast<const float*>(words[input]);
    auto* to = reinterpret_cast<float*>(words[output]);
    const std::uint64_t results = rows == 0 ? words[n] : words[n] / rows;
    for (std::uint64_t result = 0; result < results; ++result) {
        const std::uint64_t first = result / columns * columns * rows + result % columns;
        to[result] = 0;
        for (std::uint64_t row = 0; row < rows; ++row) to[result] += from[first + row * columns];
    }
}

/// Writes what the first kernel of a sum of f32 computes.
void sum_rows(const std::vector<std::uint64_t>& words) {
    const std::uint64_t rows = words[row_length] == 0 ? 1 : words[n] / words[row_length];
    const auto* from = reinterpret_cast<const float*>(words[input]);
    auto* to = reinterpret_cast<float*>(words[output]);
    for (std::uint64_t row = 0; row < rows; ++row) {
        float sum = 0;
        for (std::uint64_t i = 0; i < words[row_length]; ++i) sum += from[row * words[row_length] + i];
        to[row] = sum;
    }
}

void check_workspace(std::uint64_t address, const Stream& stream, const void* owner) {
    if (!is_allocated(address, header_words * sizeof(std::uint64_t))) {
        violation("a kernel was launched with a workspace that is not allocated");
        return;
    }
    const auto* words = reinterpret_cast<const std::uint64_t*>(address);
    if (std::any_of(words, words + header_words, [](std::uint64_t word) { return word != 0; })) {
        violation("a kernel was launched with a workspace that is not zero");
    }
    Use& use = state().workspaces[address];
    const bool is_pending = use.stream != nullptr && use.number > use.stream->completed;
    if (is_pending && use.owner != owner && use.stream != &stream) {
        violation("two streams use one workspace at the same time");
    }
    use = {owner, &stream, stream.submitted};
}

/// Returns the words with the arguments of a kernel that loads the number of elements as those of one that gets it.
std::vector<std::uint64_t> loaded_words(std::vector<std::uint64_t> words, bool reads_input) {
    const auto loaded = [](std::uint64_t address, std::uint64_t most) {
        return std::min(*reinterpret_cast<const std::uint64_t*>(address), most);
    };
    if (reads_input) words[n] = words[row_length] = loaded(words[n], words[row_length]);
    words[count] = loaded(words[count], words[count + 1]);
    words.erase(words.begin() + count + 1);
    return words;
}

CUresult run_kernel(const Work& work, Stream& stream, const void* owner) {
    if (work.arguments.empty()) return CUDA_SUCCESS;
    const bool reads_input = !contains(work.kernel, "combine_partials") && !contains(work.kernel, "PartialsOperator");
    const std::vector<std::uint64_t> words =
        is_counted(work) ? loaded_words(work.arguments, reads_input) : work.arguments;
    std::optional<std::uint64_t>& left = state().launches_before_failure;
    if (left && (*left)-- == 0) {
        left.reset();
        *reinterpret_cast<std::uint64_t*>(words[header]) = 1;
        return CUDA_ERROR_INVALID_VALUE;
    }
    check_workspace(words[header], stream, owner);
    if (contains(work.kernel, "SumIfff") && reads_input) {
        contains(work.kernel, "columns_") ? sum_columns(words) : sum_rows(words);
    }
    ++state().counts.launches;
    return CUDA_SUCCESS;
}

}  // namespace

CUresult run(const Work& work, Stream& stream, const void* owner) {
    ++stream.submitted;
    if (!work.is_memset) return run_kernel(work, stream, owner);
    if (!is_allocated(work.address, work.bytes)) {
        violation("a memset of memory that is not allocated");
        return CUDA_ERROR_INVALID_VALUE;
    }
    std::memset(reinterpret_cast<void*>(work.address), work.value, work.bytes);
    ++state().counts.memsets;
    return CUDA_SUCCESS;
}

}  // namespace simulated_driver
