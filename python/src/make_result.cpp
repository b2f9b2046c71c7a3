// Makes arrays of the library of another array.
#include <fmt/format.h>

#include <string>

#include "python/src/device_array.h"
#include "python/src/text.h"
#include "redtune/error.h"
#include "tuner/core/operator.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

dlpack::DataType dlpack_type(ElementType element) {
    const auto bits = static_cast<std::uint8_t>(8 * size_of(element.type));
    if (element.is_bool) return {dlpack::boolean, 8, 1};
    if (element.type == Type::bf16) return {dlpack::bfloat, bits, 1};
    if (is_float(element.type)) return {dlpack::ieee_float, bits, 1};
    return {is_signed(element.type) ? dlpack::signed_integer : dlpack::unsigned_integer, bits, 1};
}

void raise_allocation_error(void*, const char* kind, const char* message) {
    PyErr_Format(PyExc_MemoryError, "no array for the result could be made: %s: %s", kind, message);
}

nb::object make_by_exchange_api(const dlpack::ExchangeApi& api, dlpack::Tensor prototype) {
    dlpack::ManagedTensorVersioned* made = nullptr;
    if (api.allocate(&prototype, &made, nullptr, raise_allocation_error) != 0) throw nb::python_error();
    void* object = nullptr;
    if (api.to_object(made, &object) != 0) throw nb::python_error();
    return nb::steal(static_cast<PyObject*>(object));
}

nb::tuple tuple_of(std::span<const std::int64_t> shape) {
    nb::list extents;
    for (const std::int64_t extent : shape) extents.append(extent);
    return nb::tuple(extents);
}

}  // namespace

nb::object DeviceArray::make_result(ElementType element, std::span<const std::int64_t> shape, Stream stream) const {
    if (array_type_->protocol == Protocol::exchange_api) {
        dlpack::Tensor prototype{};
        prototype.device = {dlpack::cuda, device_};
        prototype.ndim = static_cast<std::int32_t>(shape.size());
        prototype.dtype = dlpack_type(element);
        prototype.shape = const_cast<std::int64_t*>(shape.data());  // the function only reads it
        return make_by_exchange_api(*array_type_->exchange, prototype);
    }
    const std::string name(name_of(element));
    if (array_type_->protocol == Protocol::torch) {
        const nb::module_ torch = nb::module_::import_("torch");
        return torch.attr("empty")(tuple_of(shape), nb::arg("dtype") = torch.attr(name.c_str()),
                                   nb::arg("device") = object_.attr("device"));
    }
    // CuPy and Numba take the dtype of bfloat16, which NumPy has not, from the input.
    const nb::object dtype = element == element_ ? nb::object(nb::getattr(object_, "dtype", nb::str(name.c_str())))
                                                 : nb::object(nb::str(name.c_str()));
    if (array_type_->protocol == Protocol::cupy) {
        return nb::module_::import_("cupy").attr("empty")(tuple_of(shape), nb::arg("dtype") = dtype);
    }
    if (array_type_->is_numba) {
        const nb::object cuda = nb::module_::import_("numba.cuda");
        const nb::object numpy_dtype = nb::module_::import_("numpy").attr("dtype")(dtype);
        // Numba's own number of the legacy default stream is 0.
        const nb::object in_stream =
            stream == nullptr ? nb::object(nb::int_(0))
                              : nb::object(cuda.attr("external_stream")(reinterpret_cast<std::uintptr_t>(stream)));
        return cuda.attr("device_array")(tuple_of(shape), nb::arg("dtype") = numpy_dtype,
                                         nb::arg("stream") = in_stream);
    }
    throw InputError(fmt::format(
        "redtune knows no way to make an array of the type {} for the result; give one as out (shape {}, {})",
        text_of(object_.type().attr("__name__")), text_of(tuple_of(shape)), name));
}

}  // namespace redtune::python
