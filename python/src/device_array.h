#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "python/src/dlpack_abi.h"
#include "python/src/element_type.h"
#include "python/src/layout.h"
#include "redtune/reducer.h"

namespace redtune::python {

/// The ways in which a Python type offers its arrays, in the order in which they are tried.
enum class Protocol : std::uint8_t { exchange_api, torch, cupy, cuda_array_interface, dlpack, none };

/// Describes how arrays of one Python type are read.
struct ArrayType {
    Protocol protocol = Protocol::none;
    const dlpack::ExchangeApi* exchange = nullptr;  ///< of Protocol::exchange_api
    bool is_torch = false;                          ///< its arrays may require a gradient
    bool is_numba = false;
};

/// Returns the description of an object's type. The descriptions of array types are kept.
const ArrayType& array_type_of(nanobind::handle object);

/// An array in the memory of a CUDA device, as a Python object offers it. It refers to the object, which must live as
/// long, and is neither copied nor moved.
class DeviceArray {
  public:
    /// The device of an array that does not tell its device.
    static constexpr int current_device = -1;

    /// Reads an object. The elements may be used in `stream` or, if that is empty, in the stream that own_stream()
    /// returns; an object that offers nothing but `__dlpack__` is told so, and may make that stream wait.
    /// @param name the argument's name, for messages
    /// @throws nanobind::type_error if the object is no array; InputError if it is not on a CUDA device or has elements
    /// of another type
    DeviceArray(nanobind::handle object, const char* name, std::optional<Stream> stream);
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    nanobind::handle object() const noexcept { return object_; }
    const ArrayType& array_type() const noexcept { return *array_type_; }
    void* data() const noexcept { return data_; }
    ElementType element() const noexcept { return element_; }
    int device() const noexcept { return device_; }
    bool is_read_only() const noexcept { return is_read_only_; }
    Dimensions dimensions() const noexcept { return {{shape_, dimension_count_}, strides_}; }
    /// The stream in which the object's library has last used the array, if the object says so; a call in another
    /// stream must be ordered after it.
    std::optional<Stream> producer_stream() const noexcept { return producer_stream_; }

    /// Returns the stream in which the array's library works now: the current stream of PyTorch or CuPy; the stream
    /// that the object names; else the legacy default stream. The array's device must be current.
    Stream own_stream() const;

    /// Returns a new array of the object's library on its device, in C order and not initialised.
    /// @throws InputError if redtune knows no way to make one
    nanobind::object make_result(ElementType element, std::span<const std::int64_t> shape, Stream stream) const;

  private:
    using Extents64 = std::array<std::int64_t, max_dimensions>;

    void read_dlpack(const dlpack::Tensor& tensor);
    void read_exchange_api();
    void read_torch();
    void read_cupy();
    void read_cuda_array_interface();
    void read_dlpack_capsule(std::optional<Stream> stream);
    void read_shape(nanobind::handle shape);
    /// @param unit bytes or elements: what one element counts in the strides
    void read_strides(nanobind::handle strides, std::int64_t unit);
    [[noreturn]] void refuse_device(const std::string& where) const;
    [[noreturn]] void refuse_type(const std::string& type) const;

    nanobind::handle object_;
    const char* name_;
    const ArrayType* array_type_;
    nanobind::object capsule_;  // keeps what shape_ and strides_ point to
    void* data_ = nullptr;
    ElementType element_;
    int device_ = current_device;
    bool is_read_only_ = false;
    std::size_t dimension_count_ = 0;
    const std::int64_t* shape_ = nullptr;
    const std::int64_t* strides_ = nullptr;
    std::optional<Stream> producer_stream_;
    Extents64 shape_storage_;    // not initialised: only what an object fills is read
    Extents64 strides_storage_;  // likewise
};

}  // namespace redtune::python
