// The extension module redtune._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "python/src/errors.h"
#include "python/src/find_nvrtc.h"
#include "python/src/lookup.h"
#include "python/src/reduce.h"
#include "python/src/reducers.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

constexpr const char* common_documentation = R"(
    Parameters
    ----------
    x : array
        A PyTorch tensor, a CuPy array, or any object with __cuda_array_interface__ (Numba) or __dlpack__, in the memory
        of a CUDA device. bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64.
    axis : None, int, or tuple of ints
        The axes that are reduced; None: all. They must be neighbours in memory, such as any one axis of an array in C
        order.
    keepdims : bool
        Whether reduced axes stay in the result, with one element.
    out : array
        The array for the result, of its shape and type, in C order. Default: a new array.
    stream : stream of PyTorch, CuPy or Numba, object with __cuda_stream__, or int (cudaStream_t)
        The stream in which the reduction runs. Default: the current stream of x's library. The memory of x and of the
        result must stay alive until it has run, which for another stream than the current one is the caller's to see to.
    determinism : None, "any" or "run_to_run"
        "run_to_run": the same input gives the same bits at every call on one device.

    Returns
    -------
    array
        `out`, or a new array of x's library on its device. The call enqueues the reduction and waits for nothing; the
        first one for a type and size compiles a kernel or takes it from the cache.

    Raises
    ------
    TypeError
        x is no array of a GPU, or another argument has a wrong type.
    redtune.InputError
        x is on the CPU, or the function does not take its type; an axis, dtype or out does not fit. Also a ValueError.
    redtune.UnsupportedError
        The reduction needs a copy of x. Also a NotImplementedError.
    redtune.DeviceError
        There is no driver or no compiler, or the driver refused a call.
)";

std::string documentation(const char* first) {
    return std::string(first) + "\n" + common_documentation;
}

void add_reduction(nb::module_& module, const Operation& operation, const char* text) {
    module.def(
        std::string(operation.name).c_str(),
        [operation](nb::handle x, nb::handle axis, bool keepdims, nb::handle out, nb::handle stream,
                    nb::handle determinism) {
            return reduce(operation, {x, {}, axis, nb::none(), keepdims, out, stream, determinism});
        },
        "x"_a, nb::kw_only(), "axis"_a = nb::none(), "keepdims"_a = false, "out"_a = nb::none(),
        "stream"_a = nb::none(), "determinism"_a = nb::none(), documentation(text).c_str());
}

void add_typed_reduction(nb::module_& module, const Operation& operation, const char* text) {
    module.def(
        std::string(operation.name).c_str(),
        [operation](nb::handle x, nb::handle axis, nb::handle dtype, bool keepdims, nb::handle out, nb::handle stream,
                    nb::handle determinism) {
            return reduce(operation, {x, {}, axis, dtype, keepdims, out, stream, determinism});
        },
        "x"_a, nb::kw_only(), "axis"_a = nb::none(), "dtype"_a = nb::none(), "keepdims"_a = false, "out"_a = nb::none(),
        "stream"_a = nb::none(), "determinism"_a = nb::none(), documentation(text).c_str());
}

void add_reductions(nb::module_& module) {
    using enum ResultRule;
    add_typed_reduction(
        module, {"sum", "sum", sum},
        "Return the sum of the elements.\n\n    The result has x's type for floats (sums of float16 and "
        "bfloat16 are accumulated in float32), int64 for signed integers and bool, uint64 for unsigned "
        "integers, or dtype. No elements: 0.");
    add_typed_reduction(module, {"prod", "product", sum},
                        "Return the product of the elements.\n\n    The result type is that of sum. No elements: 1.");
    add_typed_reduction(module, {"sum_of_squares", "sum_of_squares", sum},
                        "Return the sum of the squares of the elements.\n\n    The result type is that of sum. No "
                        "elements: 0.");
    add_typed_reduction(
        module, {"mean", "mean", real},
        "Return the mean of the elements.\n\n    The result has x's type for floats, float64 for integers "
        "and bool, or dtype. No elements: NaN.");
    add_reduction(
        module, {"min", "min", same, false},
        "Return the smallest element.\n\n    The result has x's type. A NaN makes it NaN. No elements: an error.");
    add_reduction(
        module, {"max", "max", same, false},
        "Return the largest element.\n\n    The result has x's type. A NaN makes it NaN. No elements: an error.");
    add_reduction(
        module, {"argmin", "argmin", index, false, true},
        "Return the index of the smallest element, the first one of equals.\n\n    The result is int64; without "
        "axis, the index into the flattened array. The first NaN counts as smallest. axis is None or an int. No "
        "elements: an error.");
    add_reduction(
        module, {"argmax", "argmax", index, false, true},
        "Return the index of the largest element, the first one of equals.\n\n    The result is int64; without "
        "axis, the index into the flattened array. The first NaN counts as largest. axis is None or an int. No "
        "elements: an error.");
    add_reduction(
        module, {"any", "any", truth},
        "Return whether some element is not zero.\n\n    The result is bool. NaN is not zero. No elements: False.");
    add_reduction(module, {"all", "all", truth},
                  "Return whether no element is zero.\n\n    The result is bool. NaN is not zero. No elements: True.");
}

void add_norm(nb::module_& module) {
    module.def(
        "norm",
        [](nb::handle x, nb::handle axis, int ord, nb::handle dtype, bool keepdims, nb::handle out, nb::handle stream,
           nb::handle determinism) {
            if (ord != 1 && ord != 2) throw InputError("ord must be 1 or 2");
            const Operation operation{"norm", ord == 1 ? "l1_norm" : "l2_norm", ResultRule::real};
            return reduce(operation, {x, {}, axis, dtype, keepdims, out, stream, determinism});
        },
        "x"_a, nb::kw_only(), "axis"_a = nb::none(), "ord"_a = 2, "dtype"_a = nb::none(), "keepdims"_a = false,
        "out"_a = nb::none(), "stream"_a = nb::none(), "determinism"_a = nb::none(),
        documentation(
            "Return the vector norm of the elements: the sum of their magnitudes (ord=1), or the square root of "
            "the sum of their squares (ord=2).\n\n    The result has x's type for floats, float64 for integers, "
            "or dtype. No elements: 0.")
            .c_str());
}

void add_vdot(nb::module_& module) {
    module.def(
        "vdot",
        [](nb::handle x, nb::handle x2, nb::handle axis, nb::handle dtype, bool keepdims, nb::handle out,
           nb::handle stream, nb::handle determinism) {
            const Operation operation{"vdot", "dot", ResultRule::same};
            return reduce(operation, {x, x2, axis, dtype, keepdims, out, stream, determinism});
        },
        "x"_a, "x2"_a, nb::kw_only(), "axis"_a = nb::none(), "dtype"_a = nb::none(), "keepdims"_a = false,
        "out"_a = nb::none(), "stream"_a = nb::none(), "determinism"_a = nb::none(),
        documentation(
            "Return the sum of the products of the elements of x and x2, which have one shape and type and lie in "
            "C order.\n\n    The result has their type (products of float16 and bfloat16 are accumulated in "
            "float32), or dtype. No elements: 0.")
            .c_str());
}

}  // namespace

}  // namespace redtune::python

// NOLINTNEXTLINE: the macro's own code
NB_MODULE(_core, module) {
    using namespace redtune::python;
    register_errors();
    redtune::gpu::Nvrtc::prefer(find_nvrtc);
    add_reductions(module);
    add_norm(module);
    add_vdot(module);
    add_lookup(module);
    module.def(
        "clear_cache", &clear_reducers,
        "Free the kernels and workspaces of all reductions, also those that graphs have recorded.\n\n    Waits until "
        "the GPU has finished the work of the "
        "contexts that they belong to. No other thread may be reducing, and graphs that recorded reductions must "
        "have been destroyed. Later calls load their kernels again.\n\n    Raises redtune.DeviceError if the "
        "driver refuses.");
    module.def("cached_reductions", &reducer_count,
               "Return how many reductions (type, row length or number of columns, device and so on) are loaded.");
}
