#include "tuner/runtime/reduction.h"

#include <string>
#include <string_view>
#include <vector>

#include "redtune/error.h"
#include "tuner/runtime/call.h"
#include "tuner/runtime/fail.h"

namespace redtune::runtime {

namespace {

constexpr std::string_view only_for_whole_arrays =
    "a number of elements in device memory is for whole arrays, and this problem has rows or columns; give n as a "
    "number";

}  // namespace

const Problem& Reduction::checked(const Problem& problem) {
    if (problem.row_length == 0 || problem.columns == 0) return problem;
    throw InputError("a problem has rows or columns, not both; set row_length or columns to 0");
}

void Reduction::prepare(std::uint64_t first, std::uint64_t last) {
    if (first > last) throw InputError("prepare(first, last) needs first <= last");
    loaded_->kernels().load(configurations_.between(first, last), launch::CountPlace::arguments);
}

void Reduction::prepare_device_count(std::uint64_t most) {
    if (shape_of(problem_).kind() != ShapeKind::whole) throw InputError(std::string(only_for_whole_arrays));
    loaded_->kernels().load(configurations_.between(most, most), launch::CountPlace::device_memory);
}

void Reduction::pin(std::string_view family, const std::vector<Parameter>& parameters) {
    const Match match = configurations_.match_of(family, parameters);
    loaded_->kernels().load(match, launch::CountPlace::arguments);
    configurations_.pin(match);
    pool_ = make_pool();  // another configuration needs workspaces of another size
}

CallStatus Reduction::check(const InputArrays& input, std::uint64_t n, const void* output) const noexcept {
    const auto is_aligned = [](const void* address, Type type) {
        return reinterpret_cast<std::uintptr_t>(address) % size_of(type) == 0;
    };
    if ((input.first == nullptr && n > 0) || output == nullptr) {
        return fail(CallStatus::invalid_argument, "the input and the output must not be null");
    }
    if (problem_.arrays == 2 ? input.second == nullptr && n > 0 : input.second != nullptr) {
        return fail(CallStatus::invalid_argument, problem_.arrays == 2
                                                      ? "this operator reads two arrays; the second is null"
                                                      : "this operator reads one array; a second one was given");
    }
    if (!is_aligned(input.first, problem_.input) || !is_aligned(input.second, problem_.input) ||
        !is_aligned(output, problem_.output)) {
        return fail(CallStatus::invalid_argument, "an array is not aligned to the size of its elements");
    }
    if (problem_.row_length > 0 && (n == 0 || n % problem_.row_length != 0)) {
        return fail(CallStatus::invalid_argument, "n must be a multiple of the row length, at least one row");
    }
    if (problem_.columns > 0 && n % problem_.columns != 0) {
        return fail(CallStatus::invalid_argument, "n must be a multiple of the number of columns");
    }
    if (!loaded_->device().is_current()) {
        return fail(CallStatus::wrong_context, "the reducer was made in another CUDA context than the current one");
    }
    return CallStatus::ok;
}

CallStatus Reduction::check(const DeviceCount& count) const noexcept {
    if (shape_of(problem_).kind() != ShapeKind::whole) return fail(CallStatus::invalid_argument, only_for_whole_arrays);
    if (count.n == nullptr || reinterpret_cast<std::uintptr_t>(count.n) % sizeof(std::uint64_t) != 0) {
        return fail(CallStatus::invalid_argument, "the device address of n must not be null, and aligned to 8 bytes");
    }
    return CallStatus::ok;
}

CallStatus Reduction::check(const Extents& extents) const noexcept {
    if (problem_.columns > 0) {
        const bool is_right = extents.outer > 0 && extents.inner == problem_.columns;
        if (is_right) return CallStatus::ok;
        return fail(CallStatus::invalid_argument,
                    "extents.inner must be the problem's number of columns, and extents.outer 1 or more");
    }
    if (extents == extents_of(problem_, extents.n())) return CallStatus::ok;
    return fail(CallStatus::invalid_argument,
                problem_.row_length > 0 ? "of a problem of rows, extents.reduced must be the row length and "
                                          "extents.inner 1"
                                        : "of a whole array, extents.outer and extents.inner must be 1; other "
                                          "extents need a problem of columns");
}

CallStatus Reduction::reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream,
                             const Workspace* workspace) noexcept {
    if (const CallStatus status = check(input, n, output); status != CallStatus::ok) return status;
    return make_call(input, extents_of(problem_, n), nullptr, output, stream, workspace);
}

CallStatus Reduction::reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream,
                             const Workspace* workspace) noexcept {
    if (const CallStatus status = check(extents); status != CallStatus::ok) return status;
    if (const CallStatus status = check(input, extents.n(), output); status != CallStatus::ok) return status;
    return make_call(input, extents, nullptr, output, stream, workspace);
}

CallStatus Reduction::reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream,
                             const Workspace* workspace) noexcept {
    if (const CallStatus status = check(count); status != CallStatus::ok) return status;
    if (const CallStatus status = check(input, count.most, output); status != CallStatus::ok) return status;
    const launch::DeviceCount on_device{reinterpret_cast<std::uint64_t>(count.n), count.most};
    return make_call(input, {.reduced = count.most}, &on_device, output, stream, workspace);
}

CallStatus Reduction::make_call(const InputArrays& input, const Extents& extents, const launch::DeviceCount* count,
                                void* output, Stream stream, const Workspace* workspace) noexcept {
    const std::optional<Match> match = configurations_.find(extents);
    if (!match) return fail(CallStatus::no_configuration, "no configuration is legal for this n; why_not(n) says why");
    const launch::LoadedKernel* kernel = nullptr;
    const auto place = count == nullptr ? launch::CountPlace::arguments : launch::CountPlace::device_memory;
    if (const CallStatus status = loaded_->kernels().find_or_load(*match, place, stream, kernel);
        status != CallStatus::ok)
        return status;

    const WorkspaceLayout& layout = configurations_.layout();
    Call call{*kernel, match->plan, {}, count, reinterpret_cast<std::uint64_t>(output), stream};
    call.input = {reinterpret_cast<std::uint64_t>(input.first), reinterpret_cast<std::uint64_t>(input.second)};
    if (workspace != nullptr) {
        const auto address = reinterpret_cast<std::uint64_t>(workspace->memory);
        if (address == 0 || address % LaunchPlan::header_bytes != 0) {
            return fail(CallStatus::invalid_argument, "the workspace must be device memory aligned to 256 bytes");
        }
        if (workspace->bytes < layout.bytes) {
            return fail(CallStatus::workspace_too_small, "the workspace is smaller than workspace_bytes()");
        }
        return enqueue(call, layout.parts(match->plan, address)).status;
    }
    const WorkspacePool::Piece piece = pool_->acquire(stream);
    if (piece.status != CallStatus::ok) return piece.status;
    const Enqueued enqueued = enqueue(call, layout.parts(match->plan, piece.address));
    if (enqueued.status != CallStatus::ok && enqueued.launches > 0) pool_->repair(piece, stream);
    return enqueued.status;
}

}  // namespace redtune::runtime
