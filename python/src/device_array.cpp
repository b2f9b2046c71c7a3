#include "python/src/device_array.h"

#include <fmt/format.h>

#include <string>

#include "python/src/stream_argument.h"
#include "python/src/text.h"
#include "redtune/error.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

std::string class_name(nb::handle object) {
    return text_of(nb::getattr(object.type(), "__name__", nb::str("object")));
}

/// Returns the element type of `dtype`, whose text ends with the array API's name: "torch.float32", "float32".
std::optional<ElementType> element_of_dtype(nb::handle dtype, std::string& text) {
    text = text_of(dtype);
    const std::size_t dot = text.rfind('.');
    return find_element_type(dot == std::string::npos ? text : text.substr(dot + 1));
}

std::optional<ElementType> element_of(dlpack::DataType dtype) {
    using enum dlpack::Code;
    const char* kind = nullptr;
    switch (dtype.code) {
        case signed_integer:
            kind = "int";
            break;
        case unsigned_integer:
            kind = "uint";
            break;
        case ieee_float:
            kind = "float";
            break;
        case bfloat:
            kind = "bfloat";
            break;
        case boolean:
            return dtype.bits == 8 && dtype.lanes == 1 ? find_element_type("bool") : std::nullopt;
        default:
            return std::nullopt;
    }
    return dtype.lanes == 1 ? find_element_type(fmt::format("{}{}", kind, dtype.bits)) : std::nullopt;
}

/// Returns the element type of a typestr such as "<f4"; the bytes of a GPU are in the order "<" and the single bytes in
/// none ("|").
std::optional<ElementType> element_of_typestr(const std::string& typestr) {
    if (typestr.size() < 3 || typestr[0] == '>') return std::nullopt;
    const std::string bytes = typestr.substr(2);
    const char* kind = typestr[1] == 'i' ? "int" : typestr[1] == 'u' ? "uint" : typestr[1] == 'f' ? "float" : nullptr;
    if (typestr[1] == 'b') return bytes == "1" ? find_element_type("bool") : std::nullopt;
    if (kind == nullptr || bytes.size() != 1 || bytes[0] < '1' || bytes[0] > '8') return std::nullopt;
    return find_element_type(fmt::format("{}{}", kind, (bytes[0] - '0') * 8));
}

}  // namespace

void DeviceArray::refuse_device(const std::string& where) const {
    throw InputError(fmt::format(
        "{} is a {} {}, and redtune reduces arrays in the memory of a CUDA device; copy it there first (PyTorch: "
        "x.cuda(), CuPy: cupy.asarray(x))",
        name_, class_name(object_), where));
}

void DeviceArray::refuse_type(const std::string& type) const {
    throw InputError(fmt::format("{} has elements of type {}; allowed are {}", name_, type, element_type_names()));
}

DeviceArray::DeviceArray(nb::handle object, const char* name, std::optional<Stream> stream)
    : object_(object), name_(name), array_type_(&array_type_of(object)) {
    switch (array_type_->protocol) {
        case Protocol::exchange_api:
            read_exchange_api();
            return;
        case Protocol::torch:
            read_torch();
            return;
        case Protocol::cupy:
            read_cupy();
            return;
        case Protocol::cuda_array_interface:
            read_cuda_array_interface();
            return;
        case Protocol::dlpack:
            read_dlpack_capsule(stream);
            return;
        case Protocol::none:
            break;
    }
    throw nb::type_error(
        fmt::format("{} is a {}, which is no array in the memory of a CUDA device; allowed are PyTorch tensors, CuPy "
                    "arrays, and objects with __cuda_array_interface__ or __dlpack__",
                    name_, class_name(object_))
            .c_str());
}

void DeviceArray::read_dlpack(const dlpack::Tensor& tensor) {
    if (tensor.device.type != dlpack::cuda && tensor.device.type != dlpack::cuda_managed) {
        refuse_device(tensor.device.type == 1 ? "on the CPU"
                                              : fmt::format("on a device of DLPack's type {}", tensor.device.type));
    }
    const std::optional<ElementType> element = element_of(tensor.dtype);
    if (!element) {
        refuse_type(fmt::format("(DLPack code {}, {} bits, {} lanes)", tensor.dtype.code, tensor.dtype.bits,
                                tensor.dtype.lanes));
    }
    if (tensor.ndim > max_dimensions) refuse_type(fmt::format("array with {} dimensions", tensor.ndim));
    element_ = *element;
    device_ = tensor.device.id;
    data_ = static_cast<char*>(tensor.data) + tensor.byte_offset;
    dimension_count_ = static_cast<std::size_t>(tensor.ndim);
    shape_ = tensor.shape;
    strides_ = tensor.strides;
}

void DeviceArray::read_exchange_api() {
    dlpack::Tensor tensor;
    if (array_type_->exchange->borrow_from_object(object_.ptr(), &tensor) != 0) throw nb::python_error();
    read_dlpack(tensor);
}

void DeviceArray::read_torch() {
    const nb::object device = object_.attr("device");
    const auto kind = text_of(device.attr("type"));
    if (kind != "cuda") refuse_device("on the device " + kind);
    std::string dtype;
    const std::optional<ElementType> element = element_of_dtype(object_.attr("dtype"), dtype);
    if (!element) refuse_type(dtype);
    element_ = *element;
    device_ = nb::cast<int>(device.attr("index"));
    data_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(object_.attr("data_ptr")()));
    read_shape(object_.attr("shape"));
    read_strides(object_.attr("stride")(), 1);
}

void DeviceArray::read_cupy() {
    std::string dtype;
    const std::optional<ElementType> element = element_of_dtype(object_.attr("dtype"), dtype);
    if (!element) refuse_type(dtype);
    element_ = *element;
    device_ = nb::cast<int>(object_.attr("device").attr("id"));
    data_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(object_.attr("data").attr("ptr")));
    read_shape(object_.attr("shape"));
    read_strides(object_.attr("strides"), size_of(element_.type));
}

void DeviceArray::read_cuda_array_interface() {
    const auto interface = nb::cast<nb::dict>(object_.attr("__cuda_array_interface__"));
    const auto typestr = text_of(nb::handle(interface["typestr"]));
    const std::optional<ElementType> element = element_of_typestr(typestr);
    if (!element) refuse_type(typestr);
    if (interface.contains("mask") && !nb::handle(interface["mask"]).is_none()) {
        throw InputError(
            fmt::format("{} has a mask, and redtune reduces all elements; fill in the masked ones", name_));
    }
    element_ = *element;
    const nb::object data = interface["data"];
    data_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
    is_read_only_ = nb::cast<bool>(data[1]);
    read_shape(interface["shape"]);
    if (interface.contains("strides")) read_strides(interface["strides"], size_of(element_.type));
    if (interface.contains("stream") && !nb::handle(interface["stream"]).is_none()) {
        producer_stream_ = reinterpret_cast<Stream>(nb::cast<std::uintptr_t>(interface["stream"]));
    }
}

void DeviceArray::read_dlpack_capsule(std::optional<Stream> stream) {
    const nb::object device = object_.attr("__dlpack_device__")();
    const int kind = nb::cast<int>(nb::int_(nb::object(device[0])));
    if (kind != dlpack::cuda && kind != dlpack::cuda_managed) {
        refuse_device(kind == 1 ? "on the CPU" : fmt::format("on a device of DLPack's type {}", kind));
    }
    const auto handle = reinterpret_cast<std::uintptr_t>(stream.value_or(nullptr));
    // In this protocol 1 is the legacy default stream, and 0 is not allowed.
    const nb::object number = nb::cast(handle == 0 ? std::uintptr_t{1} : handle);
    try {
        capsule_ =
            object_.attr("__dlpack__")(nb::arg("stream") = number, nb::arg("max_version") = nb::make_tuple(1, 1));
    } catch (nb::python_error& error) {  // libraries of before DLPack 1.0 do not know max_version
        if (!error.matches(PyExc_TypeError)) throw;
        capsule_ = object_.attr("__dlpack__")(nb::arg("stream") = number);
    }
    if (PyCapsule_IsValid(capsule_.ptr(), "dltensor_versioned") != 0) {
        const auto* managed = static_cast<const dlpack::ManagedTensorVersioned*>(
            PyCapsule_GetPointer(capsule_.ptr(), "dltensor_versioned"));
        is_read_only_ = (managed->flags & dlpack::read_only) != 0;
        return read_dlpack(managed->tensor);
    }
    const void* managed = PyCapsule_GetPointer(capsule_.ptr(), "dltensor");
    if (managed == nullptr) throw nb::python_error();
    read_dlpack(static_cast<const dlpack::ManagedTensor*>(managed)->tensor);
}

void DeviceArray::read_shape(nb::handle shape) {
    dimension_count_ = nb::len(shape);
    if (dimension_count_ > max_dimensions) refuse_type(fmt::format("array with {} dimensions", dimension_count_));
    std::size_t i = 0;
    for (const nb::handle extent : shape) shape_storage_[i++] = nb::cast<std::int64_t>(extent);
    shape_ = shape_storage_.data();
}

void DeviceArray::read_strides(nb::handle strides, std::int64_t unit) {
    if (strides.is_none()) return;
    std::size_t i = 0;
    for (const nb::handle stride : strides) {
        const auto value = nb::cast<std::int64_t>(stride);
        // A stride that is no multiple of an element is one of a dense array nowhere, as is 0.
        strides_storage_[i++] = value % unit == 0 ? value / unit : 0;
    }
    strides_ = strides_storage_.data();
}

Stream DeviceArray::own_stream() const {
    switch (array_type_->protocol) {
        case Protocol::exchange_api: {
            void* stream = nullptr;
            if (array_type_->exchange->current_stream(dlpack::cuda, device_, &stream) != 0) throw nb::python_error();
            return static_cast<Stream>(stream);
        }
        case Protocol::torch:
            return read_stream(nb::module_::import_("torch").attr("cuda").attr("current_stream")(device_));
        case Protocol::cupy:
            return read_stream(nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")());
        default:
            return producer_stream_.value_or(nullptr);
    }
}

}  // namespace redtune::python
