#include "python/src/errors.h"

#include <nanobind/nanobind.h>

#include <exception>

namespace redtune::python {

namespace nb = nanobind;

namespace {

void raise(const char* name, const std::exception& error) {
    const nb::object type = nb::module_::import_("redtune._errors").attr(name);
    PyErr_SetString(type.ptr(), error.what());
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const UnsupportedError& error) {
        raise("UnsupportedError", error);
    } catch (const InputError& error) {
        raise("InputError", error);
    } catch (const DeviceError& error) {
        raise("DeviceError", error);
    } catch (const DatabaseError& error) {
        raise("DatabaseError", error);
    } catch (const CompileError& error) {
        raise("CompileError", error);
    } catch (const Error& error) {
        raise("Error", error);
    }
}

}  // namespace

void register_errors() {
    nb::register_exception_translator(translate);
}

}  // namespace redtune::python
