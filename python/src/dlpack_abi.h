#pragma once

#include <cstdint>

/// The part of DLPack's binary interface (version 1.3) that the package reads: tensors in capsules, and the table of
/// functions that a library offers as `__dlpack_c_exchange_api__` of its array type. The names and layouts are
/// DLPack's.
namespace redtune::python::dlpack {

constexpr std::int32_t cuda = 2;           ///< kDLCUDA
constexpr std::int32_t cuda_managed = 13;  ///< kDLCUDAManaged
constexpr std::uint64_t read_only = 1;     ///< DLPACK_FLAG_BITMASK_READ_ONLY
constexpr std::uint32_t major_version = 1;

/// The values of DataType::code for the types that redtune reduces.
enum Code : std::uint8_t { signed_integer = 0, unsigned_integer = 1, ieee_float = 2, bfloat = 4, boolean = 6 };

struct Version {
    std::uint32_t major;
    std::uint32_t minor;
};

struct Device {
    std::int32_t type;
    std::int32_t id;
};

struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct Tensor {
    void* data;
    Device device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null: C order
    std::uint64_t byte_offset;
};

/// The content of a capsule named "dltensor".
struct ManagedTensor {
    Tensor tensor;
    void* context;
    void (*deleter)(ManagedTensor*);
};

/// The content of a capsule named "dltensor_versioned".
struct ManagedTensorVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedTensorVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};

/// The content of the capsule `__dlpack_c_exchange_api__`, whose name is "dlpack_exchange_api". Every function returns
/// 0, or -1 for a failure with a Python exception set; the allocator reports through `set_error` instead.
struct ExchangeApi {
    using SetError = void (*)(void* context, const char* kind, const char* message);

    Version version;
    ExchangeApi* previous;
    int (*allocate)(Tensor* prototype, ManagedTensorVersioned** out, void* error_context, SetError set_error);
    int (*managed_from_object)(void* object, ManagedTensorVersioned** out);
    int (*to_object)(ManagedTensorVersioned* tensor, void** out);
    int (*borrow_from_object)(void* object, Tensor* out);  ///< may be null
    int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void** out);
};

}  // namespace redtune::python::dlpack
