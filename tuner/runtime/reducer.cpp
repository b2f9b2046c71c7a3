#include "redtune/reducer.h"

#include "tuner/jit/operator_file.h"
#include "tuner/runtime/reduction.h"

namespace redtune {

Reducer::Reducer(const Problem& problem, const ReducerOptions& options)
    : reduction_(std::make_unique<runtime::Reduction>(problem, options)) {}
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;
Reducer::~Reducer() = default;

Problem Reducer::problem_of(const std::string& operator_file, Type input) {
    return jit::make_problem(jit::read_operator_file(operator_file), input);
}

Problem Reducer::problem_of_source(const std::string& operator_source, Type input) {
    return jit::make_problem(jit::read_operator_text(operator_source), input);
}

void Reducer::prepare(std::uint64_t n) {
    reduction_->prepare(n, n);
}

void Reducer::prepare(std::uint64_t first, std::uint64_t last) {
    reduction_->prepare(first, last);
}

void Reducer::prepare_device_count(std::uint64_t most) {
    reduction_->prepare_device_count(most);
}

CallStatus Reducer::reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream) noexcept {
    return reduction_->reduce(input, n, output, stream, nullptr);
}

CallStatus Reducer::reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream,
                           const Workspace& workspace) noexcept {
    return reduction_->reduce(input, n, output, stream, &workspace);
}

CallStatus Reducer::reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream) noexcept {
    return reduction_->reduce(input, extents, output, stream, nullptr);
}

CallStatus Reducer::reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream,
                           const Workspace& workspace) noexcept {
    return reduction_->reduce(input, extents, output, stream, &workspace);
}

CallStatus Reducer::reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream) noexcept {
    return reduction_->reduce(input, count, output, stream, nullptr);
}

CallStatus Reducer::reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream,
                           const Workspace& workspace) noexcept {
    return reduction_->reduce(input, count, output, stream, &workspace);
}

std::size_t Reducer::workspace_bytes() const noexcept {
    return reduction_->configurations().layout().bytes;
}

std::size_t Reducer::workspace_zeroed_bytes() const noexcept {
    return reduction_->configurations().layout().zeroed_bytes;
}

std::optional<Match> Reducer::configuration(std::uint64_t n) const noexcept {
    return reduction_->configurations().find(n);
}

std::optional<Match> Reducer::configuration(const Extents& extents) const noexcept {
    return reduction_->configurations().find(extents);
}

std::string Reducer::why_not(std::uint64_t n) const {
    return reduction_->configurations().why_not(n);
}

void Reducer::pin(std::string_view family, const std::vector<Parameter>& parameters) {
    reduction_->pin(family, parameters);
}

void Reducer::release(Stream stream) noexcept {
    reduction_->pool().release(stream);
}

}  // namespace redtune
