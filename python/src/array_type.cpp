// Finds out how a Python type offers its arrays.
#include <string>
#include <unordered_map>

#include "python/src/device_array.h"
#include "python/src/text.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

constexpr const char* exchange_capsule = "dlpack_exchange_api";

/// Returns the class `name` of a module that the program has imported; none if it has not.
nb::object class_of_imported(const char* module, const char* name) {
    const nb::object modules = nb::module_::import_("sys").attr("modules");
    const nb::object found = modules.attr("get")(module);
    return found.is_none() ? nb::none() : nb::object(nb::getattr(found, name, nb::none()));
}

bool is_instance(nb::handle object, const char* module, const char* name) {
    const nb::object type = class_of_imported(module, name);
    return !type.is_none() && PyObject_IsInstance(object.ptr(), type.ptr()) == 1;
}

/// Returns the table of the newest version that this package knows; null if the type offers none, or none with a way to
/// borrow a tensor.
const dlpack::ExchangeApi* exchange_api_of(nb::handle type) {
    const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
    if (PyCapsule_IsValid(capsule.ptr(), exchange_capsule) == 0) return nullptr;
    const auto* api = static_cast<const dlpack::ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), exchange_capsule));
    while (api != nullptr && api->version.major > dlpack::major_version) api = api->previous;
    const bool is_usable = api != nullptr && api->version.major == dlpack::major_version &&
                           api->borrow_from_object != nullptr && api->current_stream != nullptr;
    return is_usable ? api : nullptr;
}

ArrayType describe(nb::handle object) {
    ArrayType found;
    const nb::handle type = object.type();
    found.is_torch = is_instance(object, "torch", "Tensor");
    const auto module = text_of(nb::getattr(type, "__module__", nb::str("")));
    found.is_numba = module.starts_with("numba");
    found.exchange = exchange_api_of(type);
    if (found.exchange != nullptr) {
        found.protocol = Protocol::exchange_api;
    } else if (found.is_torch) {
        found.protocol = Protocol::torch;
    } else if (is_instance(object, "cupy", "ndarray")) {
        found.protocol = Protocol::cupy;
    } else if (nb::hasattr(object, "__cuda_array_interface__")) {
        found.protocol = Protocol::cuda_array_interface;
    } else if (nb::hasattr(object, "__dlpack__") && nb::hasattr(object, "__dlpack_device__")) {
        found.protocol = Protocol::dlpack;
    }
    return found;
}

}  // namespace

const ArrayType& array_type_of(nb::handle object) {
    struct Known {
        nb::object type;  // keeps the type, so that no other one gets its address
        ArrayType description;
    };
    // Never destroyed: Python may be gone when static objects are.
    static auto* known = new std::unordered_map<PyObject*, Known>;
    const nb::handle type = object.type();
    const auto found = known->find(type.ptr());
    if (found != known->end()) return found->second.description;
    const ArrayType description = describe(object);
    // Types that are no arrays are not kept: they are unlimited in number, and a type may become an array type when
    // its library is imported.
    if (description.protocol == Protocol::none) {
        static constexpr ArrayType no_array;
        return no_array;
    }
    return known->emplace(type.ptr(), Known{nb::borrow(type), description}).first->second.description;
}

}  // namespace redtune::python
