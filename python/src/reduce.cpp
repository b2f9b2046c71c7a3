#include "python/src/reduce.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>

#include "python/src/axes.h"
#include "python/src/device_array.h"
#include "python/src/device_scope.h"
#include "python/src/errors.h"
#include "python/src/layout.h"
#include "python/src/reducers.h"
#include "python/src/stream_argument.h"
#include "python/src/stream_order.h"
#include "python/src/text.h"
#include "redtune/error.h"
#include "tuner/gpu/buffer.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

/// The shape of a result.
struct Shape {
    std::array<std::int64_t, max_dimensions> extents;
    std::size_t count = 0;

    std::span<const std::int64_t> span() const noexcept { return {extents.data(), count}; }
};

Shape result_shape(const Dimensions& input, std::uint64_t reduced, bool keepdims) {
    Shape shape;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
        const bool is_reduced = (reduced >> i & 1) != 0;
        if (!is_reduced || keepdims) shape.extents[shape.count++] = is_reduced ? 1 : input.shape[i];
    }
    return shape;
}

std::optional<ElementType> read_dtype(nb::handle dtype) {
    if (dtype.is_none()) return std::nullopt;
    // dtypes are few and live for the whole program; texts, which may be many, are not kept.
    static auto* known = new std::unordered_map<PyObject*, std::pair<nb::object, ElementType>>;
    if (const auto found = known->find(dtype.ptr()); found != known->end()) return found->second.second;
    const auto name = text_of(nb::module_::import_("redtune._dtypes").attr("name_of")(dtype));
    const std::optional<ElementType> type = find_element_type(name);
    if (!type) throw InputError(fmt::format("dtype {} is not one of {}", name, element_type_names()));
    if (PyUnicode_Check(dtype.ptr()) == 0) known->emplace(dtype.ptr(), std::pair(nb::borrow(dtype), *type));
    return type;
}

Determinism read_determinism(nb::handle determinism) {
    return determinism.is_none() ? Determinism::any : parse_determinism(text_of(determinism));
}

/// Refuses tensors whose gradient the caller might expect: results of redtune have none.
void check_gradient(const DeviceArray& array) {
    if (!array.array_type().is_torch) return;
    const nb::object requires_grad = array.object().attr("requires_grad");
    if (requires_grad.ptr() != Py_True) return;
    if (!nb::cast<bool>(nb::module_::import_("torch").attr("is_grad_enabled")())) return;
    throw InputError(
        "the tensor requires a gradient, and redtune's functions compute none; give x.detach(), or call inside "
        "torch.no_grad()");
}

void check_second(const DeviceArray& first, const DeviceArray& second) {
    if (second.element() != first.element()) {
        throw InputError(fmt::format("the arrays have the types {} and {}, and must have the same",
                                     name_of(first.element()), name_of(second.element())));
    }
    const auto same = std::equal(first.dimensions().shape.begin(), first.dimensions().shape.end(),
                                 second.dimensions().shape.begin(), second.dimensions().shape.end());
    if (!same) throw InputError("the arrays have different shapes, and redtune does not broadcast them");
    if (first.device() != second.device()) throw InputError("the arrays are on different devices");
    if (!is_c_order(first.dimensions()) || !is_c_order(second.dimensions())) {
        throw UnsupportedError(
            "both arrays must lie in memory in C order without gaps; make copies with x.contiguous() (PyTorch) or "
            "cupy.ascontiguousarray(x)");
    }
}

void check_out(const DeviceArray& out, const DeviceArray& input, ElementType element, const Shape& shape) {
    if (out.element() != element) {
        throw InputError(fmt::format("out has elements of type {}, and the result has {}", name_of(out.element()),
                                     name_of(element)));
    }
    if (!std::equal(out.dimensions().shape.begin(), out.dimensions().shape.end(), shape.span().begin(),
                    shape.span().end())) {
        throw InputError(fmt::format("out has the shape ({}), and the result has ({})",
                                     fmt::join(out.dimensions().shape, ", "), fmt::join(shape.span(), ", ")));
    }
    if (!is_c_order(out.dimensions())) throw InputError("out must lie in memory in C order without gaps");
    if (out.is_read_only()) throw InputError("out must not be read-only");
    if (out.device() >= 0 && input.device() >= 0 && out.device() != input.device()) {
        throw InputError(fmt::format("out is on device {}, and the array on {}", out.device(), input.device()));
    }
}

Extents extents_for(const Operation& operation, const DeviceArray& input, std::uint64_t axes) {
    LayoutProblem problem = LayoutProblem::none;
    const Extents extents = extents_of(input.dimensions(), axes, operation.is_order_sensitive, problem);
    if (problem != LayoutProblem::none) {
        throw UnsupportedError(
            fmt::format("{} of this array needs a copy, which redtune does not make: {}; make one with {}",
                        operation.name, describe(problem), copy_that_helps(problem)));
    }
    if (extents.reduced == 0 && !operation.has_identity) {
        throw InputError(fmt::format("{} of no elements is not defined; the array must have some", operation.name));
    }
    return extents;
}

/// Returns the same extents as a problem of the library has them: rows of fewer than 2 elements are the columns of one
/// matrix.
Extents without_short_rows(const Extents& extents) {
    if (extents.reduced > 1 || extents.results() == 1) return extents;
    return {1, extents.reduced, extents.results()};
}

/// Sets the problem's number of columns or row length, unless the whole array is reduced.
void set_shape(Problem& problem, const Extents& extents) {
    if (extents.inner > 1) {
        problem.columns = extents.inner;
    } else if (extents.outer > 1) {
        problem.row_length = extents.reduced;
    }
}

[[noreturn]] void refuse_capture() {
    throw Error(
        "the stream is being captured, and the kernel for an array of this type and size is not loaded; make the same "
        "call "
        "once before the capture");
}

[[noreturn]] void fail(CallStatus status, const Reducer& reducer, std::uint64_t n) {
    const std::string reason(last_error());
    switch (status) {
        case CallStatus::no_configuration: {
            const std::string why = reducer.why_not(n);
            // Empty if one matrix of n elements has a configuration, but several matrices have not.
            throw InputError(why.empty() ? reason : why);
        }
        case CallStatus::invalid_argument:
            throw InputError(reason);
        case CallStatus::not_prepared:
            refuse_capture();
        case CallStatus::out_of_workspaces:
            throw Error(reason + "; redtune.clear_cache() frees those of streams and graphs that are gone");
        default:
            throw DeviceError(fmt::format("{}: {}", to_string(status), reason));
    }
}

/// Copies the elements of `input` to `output`. This is faster than a reduction of one element for each result.
void copy(const DeviceArray& input, const DeviceArray& output, Stream stream) {
    const auto from = reinterpret_cast<CUdeviceptr>(input.data());
    const auto to = reinterpret_cast<CUdeviceptr>(output.data());
    const std::size_t bytes = input.dimensions().count() * size_of(input.element().type);
    if (from != to) gpu::copy_on_device(to, from, bytes, stream);
}

/// Makes the call. It keeps the GIL if nothing has to be compiled or loaded, because releasing it takes longer.
void enqueue(const ReducerUse& use, const InputArrays& input, const Extents& extents, void* output, Stream stream) {
    CachedReducer* cached = use.get();
    if (cached == nullptr) refuse_capture();
    CallStatus status = CallStatus::ok;
    if (cached->last == extents) {
        status = cached->reducer.reduce(input, extents, output, stream);
    } else {
        const nb::gil_scoped_release released;
        status = cached->reducer.reduce(input, extents, output, stream);
    }
    if (status != CallStatus::ok) fail(status, cached->reducer, extents.n());
    cached->last = extents;
}

}  // namespace

nb::object reduce(const Operation& operation, const Arguments& arguments) {
    std::optional<Stream> stream;
    if (!arguments.stream.is_none()) stream = read_stream(arguments.stream);
    const DeviceArray input(arguments.x, "x", stream);
    check_gradient(input);
    std::optional<DeviceArray> second;
    if (arguments.second.is_valid()) {
        second.emplace(arguments.second, "x2", stream);
        check_gradient(*second);
        check_second(input, *second);
    }

    const Dimensions dimensions = input.dimensions();
    const std::uint64_t axes = read_axes(arguments.axis, dimensions.shape.size(), !operation.is_order_sensitive);
    const Extents extents = without_short_rows(extents_for(operation, input, axes));
    const Shape shape = result_shape(dimensions, axes, arguments.keepdims);
    ElementType element;
    Problem problem = problem_of(operation, input.element(), read_dtype(arguments.dtype), element);
    problem.determinism = read_determinism(arguments.determinism);
    set_shape(problem, extents);

    const DeviceScope scope(input.device());
    const Stream used = stream ? *stream : input.own_stream();
    wait_for(input.producer_stream(), used);
    // The second array's library may work in another stream. If the caller named the stream, it is the caller's to
    // order.
    if (second) wait_for(stream ? second->producer_stream() : second->own_stream(), used);
    const bool is_given = !arguments.out.is_none();
    const nb::object result = is_given ? nb::borrow(arguments.out) : input.make_result(element, shape.span(), used);
    const DeviceArray output(result, "out", used);
    if (is_given) check_out(output, input, element, shape);
    if (extents.results() == 0) return result;
    if (is_given) wait_for(stream ? output.producer_stream() : output.own_stream(), used);
    if (extents.reduced == 1 && returns_single_elements(operation, input.element(), element)) {
        copy(input, output, used);
        return result;
    }
    enqueue(reducer_for(scope.context(), problem, extents.outer, used),
            {input.data(), second ? second->data() : nullptr}, extents, output.data(), used);
    return result;
}

}  // namespace redtune::python
