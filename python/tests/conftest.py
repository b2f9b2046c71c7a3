"""Marks and fixtures. The mark `simulated` is for tests over the simulated driver, `gpu` for those that need a GPU."""

import ctypes

import pytest

import redtune


def _driver():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None


def _is_simulated(driver):
    return driver is not None and hasattr(driver, "simulated_driver_last_violation")


def pytest_configure(config):
    config.addinivalue_line("markers", "simulated: runs over the simulated driver (tests/simulated_driver)")
    config.addinivalue_line("markers", "gpu: needs a GPU")


def pytest_collection_modifyitems(items):
    driver = _driver()
    simulated = _is_simulated(driver)
    has_gpu = not simulated and driver is not None and len(redtune._core.gpu_names()) > 0
    for item in items:
        if item.get_closest_marker("simulated") and not simulated:
            item.add_marker(pytest.mark.skip(reason="libcuda.so.1 is not the simulated driver"))
        if item.get_closest_marker("gpu") and not has_gpu:
            item.add_marker(pytest.mark.skip(reason="there is no GPU"))
        if simulated and not item.get_closest_marker("simulated"):
            item.add_marker(pytest.mark.skip(reason="runs without the simulated driver"))


@pytest.fixture(autouse=True)
def no_violations(request):
    """Let a test fail that breaks a capture, or another rule of the driver, or frees what a kernel may use."""
    yield
    if request.node.get_closest_marker("simulated"):
        driver = _driver()
        driver.simulated_driver_last_violation.restype = ctypes.c_char_p
        assert driver.simulated_driver_last_violation() == b""
        driver.simulated_driver_workspaces_freed_in_use.restype = ctypes.c_uint64
        assert driver.simulated_driver_workspaces_freed_in_use() == 0
