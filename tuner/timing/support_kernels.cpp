#include "tuner/timing/support_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/error.h"
#include "tuner/core/element.h"
#include "tuner/core/operator.h"
#include "tuner/gpu/launch.h"
#include "tuner/gpu/stream.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::timing {

namespace {

constexpr const char* source = "kernels_src/tuner_kernels.cuh";
constexpr std::uint32_t block = 256;
constexpr std::uint32_t wide_block = 512;

template <class... Arguments>
void launch_kernel(CUfunction function, std::uint32_t grid, std::uint32_t threads, CUstream stream,
                   Arguments... arguments) {
    void* pointers[] = {&arguments...};
    gpu::launch(function, {grid, 1, 1}, {threads, 1, 1}, 0, stream, pointers);
}

/// Returns the name of the enumerator of Values (kernels_src/input_values.cuh) that suits the problem's operator.
const char* values_enumerator(const Problem& problem, InputValues values) {
    const Operator* op = find_operator(problem.op);
    const Rounding rounding = op != nullptr ? op->rounding : Rounding::signed_terms;
    const bool converts_integers = !is_float(problem.input) && is_float(problem.accumulator);
    if (rounding == Rounding::product) {
        if (values == InputValues::timed) return "near_one";
        return converts_integers ? "exact_factors" : "factors";
    }
    if (values == InputValues::timed) return "random";
    if (converts_integers && !is_signed(problem.input)) return "small";
    return rounding == Rounding::positive_terms ? "units" : "whole";
}

/// Returns the name of the enumerator of Terms (kernels_src/data_kinds.cuh) that suits the problem's operator.
const char* terms_enumerator(const Problem& problem) {
    const Operator* op = find_operator(problem.op);
    if (op == nullptr) return "values";
    if (op->rounding == Rounding::product) return "factors";
    return op->arrays == 2 || op->name == "sum_of_squares" || op->takes_square_root ? "products" : "values";
}

bool sums_floats(const Problem& problem) {
    const Rounding rounding = rounding_of(problem);
    return rounding == Rounding::signed_terms || rounding == Rounding::positive_terms;
}

std::uint64_t read_element(CUdeviceptr base, std::uint64_t index, Type type) {
    std::uint64_t bits = 0;
    gpu::copy_to_host(&bits, base + index * size_of(type), size_of(type));
    return bits;
}

}  // namespace

std::vector<jit::KernelName> support_kernel_names(const Problem& problem) {
    const Problem reference = reference_problem(problem);
    const std::string input = launch::device_type(problem.input);
    const auto fill = [&](InputValues values) {
        return fmt::format("redtune::fill_input<{}, redtune::Values::{}>", input, values_enumerator(problem, values));
    };
    std::vector<jit::KernelName> names = {
        {source, fill(InputValues::timed)},
        {source, fill(InputValues::exact)},
        {source, fmt::format("redtune::reference_partials<{}>", launch::device_problem(reference))},
        {source, fmt::format("redtune::reference_results<{}>", launch::device_problem(reference))},
        {source, fmt::format("redtune::compare_results<{}, {}>", launch::device_type(problem.output),
                             launch::device_type(reference.output))},
        {source, "redtune::read_buffer"},
        {source, "redtune::probe_clock"},
        {source, "redtune::probe_latency"},
        {source, fmt::format("redtune::empty<{}, false>", launch::device_problem(problem))},
        {source, fmt::format("redtune::empty<{}, true>", launch::device_problem(problem))},
        {source, fmt::format("redtune::fill_data<{}, redtune::Terms::{}>", input, terms_enumerator(problem))},
        {source, fmt::format("redtune::fill_values<{}>", input)}};
    if (sums_floats(problem)) {
        names.push_back({source, fmt::format("redtune::sum_terms<{}>", launch::device_problem(reference))});
    }
    return names;
}

SupportKernels::SupportKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count)
    : problem_(problem),
      reference_problem_(reference_problem(problem)),
      sm_count_(sm_count),
      sink_(sizeof(std::uint32_t)),
      mismatch_(sizeof(Mismatch)) {
    const std::vector<jit::KernelName> names = support_kernel_names(problem);
    const std::vector<jit::CompiledKernel> kernels = compiler.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!kernels[i].error.empty()) throw CompileError(names[i].expression, kernels[i].error);
    }
    CUfunction* const functions[] = {&fill_timed_, &fill_exact_, &reference_partials_, &reference_results_,
                                     &compare_,    &read_,       &probe_clock_,        &probe_latency_,
                                     &empty_,      &empty_pdl_,  &fill_data_,          &fill_values_,
                                     &sum_terms_};
    for (std::size_t i = 0; i < names.size(); ++i) *functions[i] = function(kernels[i]);
}

CUfunction SupportKernels::function(const jit::CompiledKernel& kernel) {
    std::unique_ptr<gpu::Module>& module = modules_[kernel.cubin.get()];
    if (module == nullptr) module = std::make_unique<gpu::Module>(*kernel.cubin);
    return module->function(kernel.symbol);
}

void SupportKernels::fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed,
                          CUstream stream) const {
    launch_kernel(values == InputValues::timed ? fill_timed_ : fill_exact_, sm_count_ * 4, wide_block, stream, to, n,
                  seed);
}

void SupportKernels::fill(CUdeviceptr to, std::uint64_t n, const InputLayout& layout, DataKind kind, std::uint64_t seed,
                          CUstream stream) const {
    launch_kernel(fill_data_, sm_count_ * 4, wide_block, stream, to, n, layout, static_cast<int>(kind), seed);
}

void SupportKernels::fill(CUdeviceptr to, std::uint64_t n, const InputLayout& layout, CUdeviceptr values,
                          std::uint64_t count, CUstream stream) const {
    launch_kernel(fill_values_, sm_count_ * 4, wide_block, stream, to, n, layout, values, count);
}

/// Returns the number of threads that compute one reference result together: enough to fill the device, but so few that
/// each thread has about 64 elements or more.
std::uint64_t SupportKernels::threads_per_reference_result(const ReferenceRequest& request) const {
    const Extents extents = extents_of(problem_, request.n);
    const std::uint64_t results = request.inputs * extents.results();
    const std::uint64_t threads = std::uint64_t{sm_count_} * 8 * block;
    return std::clamp<std::uint64_t>(threads / std::max<std::uint64_t>(1, results), 1, 1 + extents.reduced / 64);
}

ReferenceBytes SupportKernels::reference_bytes(const ReferenceRequest& request) const {
    const std::uint64_t results = request.inputs * result_count(problem_, request.n);
    return {results * size_of(reference_problem_.output),
            results * threads_per_reference_result(request) * accumulator_bytes(reference_problem_)};
}

void SupportKernels::enqueue_reference(const ReferenceRequest& request, CUdeviceptr results, CUdeviceptr partials,
                                       CUstream stream) const {
    const ReferenceJob job = reference_job(request, results, partials);
    if (job.inputs * job.results == 0) return;
    launch_kernel(reference_partials_, sm_count_ * 8, block, stream, job);
    launch_kernel(reference_results_,
                  static_cast<std::uint32_t>(std::min<std::uint64_t>(job.inputs * job.results, sm_count_ * 8)), block,
                  stream, job);
}

ReferenceJob SupportKernels::reference_job(const ReferenceRequest& request, CUdeviceptr results,
                                           CUdeviceptr partials) const {
    const Extents extents = extents_of(problem_, request.n);
    return {request.arrays.first,
            request.arrays.second,
            request.stride,
            request.inputs,
            extents.results(),
            extents.reduced,
            extents.inner,
            threads_per_reference_result(request),
            partials,
            results};
}

gpu::DeviceBuffer SupportKernels::term_sums(const ReferenceRequest& request, CUstream stream) const {
    const ReferenceJob job = reference_job(request, 0, 0);
    const std::uint64_t results = job.inputs * job.results;
    gpu::DeviceBuffer sums(std::max<std::uint64_t>(1, results) * 2 * sizeof(double));
    if (results != 0) {
        const std::uint64_t shares = (job.parts + block - 1) / block;
        sums.fill(0, stream);
        launch_kernel(sum_terms_, static_cast<std::uint32_t>(std::min<std::uint64_t>(results * shares, sm_count_ * 8)),
                      block, stream, job, sums.address());
        gpu::synchronize(stream);
    }
    return sums;
}

gpu::DeviceBuffer SupportKernels::reference(const ReferenceRequest& request, CUstream stream) const {
    const ReferenceBytes bytes = reference_bytes(request);
    gpu::DeviceBuffer results(std::max<std::uint64_t>(1, bytes.results));
    const gpu::DeviceBuffer partials(bytes.partials);
    enqueue_reference(request, results.address(), partials.address(), stream);
    gpu::synchronize(stream);
    return results;
}

void SupportKernels::enqueue_judge(const JudgeRequest& request, CUdeviceptr mismatch, CUstream stream) const {
    if (request.sets * request.count == 0) return;
    launch_kernel(compare_, sm_count_ * 2, block, stream, request.results, request.stride, request.sets,
                  request.references, request.reference_sets, request.count, request.tolerance, request.terms,
                  mismatch);
}

std::optional<std::string> SupportKernels::judge(const JudgeRequest& request, CUstream stream) const {
    mismatch_.fill(0, stream);
    enqueue_judge(request, mismatch_.address(), stream);
    gpu::synchronize(stream);
    Mismatch mismatch;
    mismatch_.copy_to_host(&mismatch, sizeof(mismatch));
    return verdict(request, mismatch);
}

std::optional<std::string> SupportKernels::verdict(const JudgeRequest& request, const Mismatch& mismatch) const {
    if (mismatch.wrong == 0) return std::nullopt;
    const std::uint64_t at = ~mismatch.first;
    const std::uint64_t set = at / request.count;
    const std::uint64_t result = at % request.count;
    const Type expected_type = reference_problem_.output;
    std::string place;
    if (request.sets > 1) place += fmt::format("call {} of {}: ", set + 1, request.sets);
    if (request.count > 1)
        place += fmt::format("{} {} of {}: ", problem_.columns == 0 ? "row" : "column", result, request.count);
    std::string message = fmt::format(
        "{}expected {}", place,
        format_element(
            expected_type,
            read_element(request.references, set % request.reference_sets * request.count + result, expected_type)));
    const Tolerance& tolerance = request.tolerance;
    if (tolerance.absolute + tolerance.relative > 0) {
        message += fmt::format(" within {:.3g} + {:.3g} of it", tolerance.absolute, tolerance.relative);
    }
    if (tolerance.of_magnitudes + tolerance.of_root_squares > 0) {
        message += fmt::format(" + {:.3g} of the sum of |x| + {:.3g} of the root of the sum of x^2",
                               tolerance.of_magnitudes, tolerance.of_root_squares);
    }
    message += fmt::format(
        ", got {}",
        format_element(problem_.output, read_element(request.results, set * request.stride + result, problem_.output)));
    if (mismatch.wrong > 1) message += fmt::format(" ({} results are wrong)", mismatch.wrong);
    return message;
}

void SupportKernels::read(const gpu::DeviceBuffer& buffer, CUstream stream) const {
    constexpr std::uint64_t word_bytes = 16;
    const std::uint64_t count = buffer.size() / word_bytes;
    launch_kernel(read_, sm_count_ * 4, wide_block, stream, buffer.address(), count, sink_.address());
}

void SupportKernels::probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const {
    launch_kernel(probe_clock_, 1, 1, stream, nanoseconds, to);
}

std::vector<std::uint32_t> SupportKernels::latencies(CUdeviceptr words, std::uint64_t stride_bytes, std::uint32_t count,
                                                     CUstream stream) const {
    std::vector<std::uint32_t> cycles(count);
    const gpu::DeviceBuffer result(count * sizeof(cycles[0]));
    launch_kernel(probe_latency_, 1, 1, stream, words, stride_bytes / sizeof(std::uint64_t), count, result.address());
    gpu::synchronize(stream);
    result.copy_to_host(cycles.data(), count * sizeof(cycles[0]));
    return cycles;
}

}  // namespace redtune::timing
