#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "redtune/reducer.h"
#include "tests/simulated_driver/simulated_driver.h"
#include "tests/support/source_path.h"

namespace redtune::runtime {

/// Returns the shipped winners.
inline const Catalog& shipped_catalog() {
    static const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    return catalog;
}

/// Returns options with the shipped winners and a pool of this many workspaces.
inline ReducerOptions shipped_options(std::uint32_t workspaces = 64) {
    ReducerOptions options;
    options.catalog = &shipped_catalog();
    options.workspaces = workspaces;
    return options;
}

inline Problem sum_f32() {
    return make_problem("sum", Type::f32);
}

inline std::vector<float> ones(std::uint64_t n) {
    return std::vector<float>(n, 1.0F);
}

/// A stream of the simulated driver.
class SimulatedStream {
  public:
    SimulatedStream() { cuStreamCreate(&handle_, CU_STREAM_NON_BLOCKING); }
    ~SimulatedStream() { cuStreamDestroy(handle_); }
    SimulatedStream(const SimulatedStream&) = delete;
    SimulatedStream& operator=(const SimulatedStream&) = delete;

    // NOLINTNEXTLINE(google-explicit-constructor): stands for its handle
    operator CUstream() const noexcept { return handle_; }

    void begin_capture() { cuStreamBeginCapture(handle_, CU_STREAM_CAPTURE_MODE_GLOBAL); }
    /// Returns the recorded graph; null if the capture was broken.
    CUgraph end_capture() {
        CUgraph graph = nullptr;
        cuStreamEndCapture(handle_, &graph);
        return graph;
    }

  private:
    CUstream handle_ = nullptr;
};

/// Starts every test with a new driver and device 0's context current, and ends it with a check for violations.
class RuntimeTest : public testing::Test {
  protected:
    RuntimeTest() {  // before the streams of a test are made
        simulated_driver::reset();
        use_device(0);
    }
    void TearDown() override { EXPECT_THAT(simulated_driver::violations(), testing::IsEmpty()); }

    /// Makes a device's primary context current on this thread.
    static void use_device(int device) {
        CUcontext context = nullptr;
        cuDevicePrimaryCtxRetain(&context, device);
        cuCtxSetCurrent(context);
    }
};

}  // namespace redtune::runtime
