// Tests everything in tuner/gpu that needs a device. The tests are skipped if there is none.

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "redtune/error.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/graph.h"
#include "tuner/gpu/launch.h"
#include "tuner/gpu/module.h"
#include "tuner/gpu/nvml.h"
#include "tuner/gpu/nvrtc.h"
#include "tuner/gpu/stream.h"

namespace redtune::gpu {
namespace {

using testing::HasSubstr;

constexpr const char* source = R"(
template <class T> __global__ void add(T* data, T amount, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += amount;
}
__global__ void spin(unsigned long long nanoseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now - begin < nanoseconds);
}
)";

constexpr unsigned n = 1000;
constexpr unsigned block = 256;

class GpuLayer : public testing::Test {
  protected:
    void SetUp() override {
        if (list_devices().empty()) GTEST_SKIP() << why_no_device();
        if (Nvrtc::find() == nullptr) GTEST_SKIP() << Nvrtc::why_missing();
        context_ = std::make_unique<Context>(0);
        program_ = Nvrtc::get().compile(source, "test.cu", {},
                                        {"--gpu-architecture=" + device_at(0).info.architecture(), "-default-device"},
                                        {"add<int>", "spin"});
        module_ = std::make_unique<Module>(program_.cubin);
    }

    CUfunction function(std::size_t index) const { return module_->function(program_.lowered_names[index]); }

    void add(const DeviceBuffer& buffer, int amount, CUstream stream) const {
        CUdeviceptr address = buffer.address();
        unsigned count = n;
        void* arguments[] = {&address, &amount, &count};
        launch(function(0), {(n + block - 1) / block}, {block}, 0, stream, arguments);
    }
    void spin(std::uint64_t nanoseconds, CUstream stream) const {
        void* arguments[] = {&nanoseconds};
        launch(function(1), {1}, {1}, 0, stream, arguments);
    }
    static std::vector<int> numbers() {
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), 0);
        return values;
    }
    static DeviceBuffer upload(const std::vector<int>& values) {
        DeviceBuffer buffer(values.size() * sizeof(int));
        buffer.copy_from_host(values.data(), buffer.size());
        return buffer;
    }
    static std::vector<int> download(const DeviceBuffer& buffer) {
        std::vector<int> values(buffer.size() / sizeof(int));
        buffer.copy_to_host(values.data(), buffer.size());
        return values;
    }
    static std::vector<int> numbers_plus(int amount) {
        std::vector<int> values = numbers();
        for (int& value : values) value += amount;
        return values;
    }

    std::unique_ptr<Context> context_;
    CompiledProgram program_;
    std::unique_ptr<Module> module_;
};

TEST_F(GpuLayer, DevicesAreDescribed) {
    for (const Device& device : list_devices()) {
        EXPECT_NE(device.info.name, "");
        EXPECT_GE(device.info.compute_major, 5);
        EXPECT_GT(device.info.sm_count, 0U);
        EXPECT_GT(device.info.memory_bytes, std::uint64_t{1} << 30);
        EXPECT_GT(device.info.l2_bytes, 0U);
        EXPECT_GE(device.info.max_threads_per_sm, 1024U);
        EXPECT_GE(device.info.max_shared_bytes_per_block, 48U << 10);
        EXPECT_GT(device.info.peak_gb_per_s, 50);
        EXPECT_THAT(device.info.uuid, testing::MatchesRegex("(GPU|MIG)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        EXPECT_GE(device.cuda_version, 12000);
        EXPECT_NE(device.driver_version, "");
    }
    const Device first = device_at(0);
    EXPECT_EQ(first.info.uuid, list_devices().front().info.uuid);
    if (first.info.name == "NVIDIA H200") {
        EXPECT_NEAR(first.info.peak_gb_per_s, 4814, 110);
        EXPECT_EQ(first.info.sm_count, 132U);
        EXPECT_EQ(first.info.architecture(), "sm_90");
    }
}

TEST_F(GpuLayer, CircumstancesAreReadable) {
    if (Nvml::find() == nullptr) GTEST_SKIP() << Nvml::why_missing();
    const NvmlDevice device(device_at(0).info.uuid);
    ASSERT_TRUE(device.is_known());
    const Circumstances now = device.read();
    ASSERT_TRUE(now.sm_mhz && device.nominal_sm_mhz());
    EXPECT_GT(*now.sm_mhz, 0U);
    EXPECT_LE(*now.sm_mhz, *device.nominal_sm_mhz());
    EXPECT_GT(now.memory_mhz.value_or(1), 0U);
    EXPECT_LT(now.temperature_c.value_or(0), 120U);
    EXPECT_GT(now.power_w.value_or(1), 0);
}

TEST_F(GpuLayer, BuffersKeepWhatIsCopiedToThem) {
    DeviceBuffer buffer = upload(numbers());
    EXPECT_EQ(download(buffer), numbers());
    const int changed = -7;
    buffer.copy_from_host(&changed, sizeof(changed), 10 * sizeof(int));
    int read = 0;
    buffer.copy_to_host(&read, sizeof(read), 10 * sizeof(int));
    EXPECT_EQ(read, changed);
    buffer.fill(0xFF);
    EXPECT_EQ(download(buffer), std::vector<int>(n, -1));
}

TEST_F(GpuLayer, StreamsCarryCopiesFillsAndKernelsInOrder) {
    const Stream stream;
    std::vector<int> host(n);
    DeviceBuffer buffer(n * sizeof(int));
    buffer.fill(0, stream.handle());
    add(buffer, 5, stream.handle());
    buffer.copy_to_host(host.data(), buffer.size(), 0, stream.handle());
    stream.synchronize();
    EXPECT_EQ(host, std::vector<int>(n, 5));
}

TEST_F(GpuLayer, BuffersMove) {
    DeviceBuffer first = upload(numbers());
    const CUdeviceptr address = first.address();
    DeviceBuffer second = std::move(first);
    EXPECT_EQ(second.address(), address);
    EXPECT_EQ(first.address(), 0U);  // NOLINT(bugprone-use-after-move): the moved-from state is defined
    first = std::move(second);
    EXPECT_EQ(first.address(), address);
    EXPECT_EQ(download(first), numbers());
}

TEST_F(GpuLayer, EmptyBuffersAreFine) {
    DeviceBuffer buffer(0);
    EXPECT_EQ(buffer.address(), 0U);
    buffer.fill(1);
    buffer.copy_to_host(nullptr, 0);
}

TEST_F(GpuLayer, CopiesPastTheEndAreRefused) {
    DeviceBuffer buffer(16);
    std::array<char, 32> host{};
    EXPECT_THROW(buffer.copy_from_host(host.data(), 17), DeviceError);
    EXPECT_THROW(buffer.copy_to_host(host.data(), 8, 9), DeviceError);
    EXPECT_THROW(buffer.copy_to_host(host.data(), 1, SIZE_MAX), DeviceError);
}

TEST_F(GpuLayer, TooLargeAnAllocationSaysHowMuchIsFree) {
    const MemoryInfo memory = memory_info();
    EXPECT_LE(memory.free_bytes, memory.total_bytes);
    try {
        const DeviceBuffer buffer(memory.total_bytes * 2);
        FAIL() << "more than there is";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("CUDA_ERROR_OUT_OF_MEMORY"));
        EXPECT_THAT(error.what(), HasSubstr("are free"));
    }
}

TEST_F(GpuLayer, KernelsRun) {
    const DeviceBuffer buffer = upload(numbers());
    const Stream stream;
    add(buffer, 3, stream.handle());
    stream.synchronize();
    EXPECT_EQ(download(buffer), numbers_plus(3));
}

TEST_F(GpuLayer, WrongModulesAndNamesAreRefused) {
    EXPECT_THROW(Module("text"), DeviceError);
    EXPECT_THROW(Module(""), DeviceError);
    try {
        module_->function("no_such_kernel");
        FAIL() << "there is no such kernel";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no_such_kernel"));
        EXPECT_THAT(error.what(), HasSubstr("CUDA_ERROR_NOT_FOUND"));
    }
}

TEST_F(GpuLayer, AnImpossibleLaunchNamesItsShape) {
    const Stream stream;
    std::uint64_t nanoseconds = 0;
    void* arguments[] = {&nanoseconds};
    try {
        launch(function(1), {7}, {4096}, 0, stream.handle(), arguments);
        FAIL() << "no block has 4096 threads";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("7x1x1 blocks of 4096x1x1 threads"));
    }
}

TEST_F(GpuLayer, GraphsLaunchWhatWasCaptured) {
    const DeviceBuffer buffer = upload(numbers());
    Stream stream;
    const Graph graph = Graph::capture(stream, [&](CUstream recording) {
        add(buffer, 1, recording);
        add(buffer, 2, recording);
    });
    EXPECT_EQ(download(buffer), numbers()) << "capturing executes nothing";
    for (int launch = 0; launch < 4; ++launch) graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(download(buffer), numbers_plus(12));
}

TEST_F(GpuLayer, EventsInAGraphAreStampedByEveryLaunch) {
    Stream stream;
    Event start;
    Event end;
    constexpr std::uint64_t spin_ns = 200'000;
    const Graph graph = Graph::capture(stream, [&](CUstream recording) {
        record_event_in_graph(start, recording);
        spin(spin_ns, recording);
        record_event_in_graph(end, recording);
    });
    for (int launch = 0; launch < 3; ++launch) {
        graph.launch(stream);
        stream.synchronize();
        // The kernel runs for at least spin_ns by its own clock. The test has no upper bound, because other work on the
        // machine may delay the event.
        EXPECT_GE(elapsed_us(start, end), spin_ns / 1000.0 * 0.98);
    }
}

TEST_F(GpuLayer, AStreamIsUsableAfterARecordingThatThrew) {
    const DeviceBuffer buffer = upload(numbers());
    Stream stream;
    const auto record_and_throw = [&](CUstream recording) {
        add(buffer, 1, recording);
        throw std::logic_error("given up");
    };
    EXPECT_THROW(Graph::capture(stream, record_and_throw), std::logic_error);
    const auto record_a_wait = [&](CUstream) { stream.synchronize(); };
    EXPECT_THROW(Graph::capture(stream, record_a_wait), DeviceError);
    add(buffer, 2, stream.handle());
    stream.synchronize();
    EXPECT_EQ(download(buffer), numbers_plus(2));
}

TEST_F(GpuLayer, OtherThreadsAllocateWhileAGraphIsRecorded) {
    const DeviceBuffer buffer = upload(numbers());
    Stream stream;
    const Graph graph = Graph::capture(stream, [&](CUstream recording) {
        add(buffer, 1, recording);
        std::jthread([&] {
            const Context same(0);
            DeviceBuffer other(1 << 20);
            other.fill(1);
        }).join();
        add(buffer, 1, recording);
    });
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(download(buffer), numbers_plus(2));
}

TEST_F(GpuLayer, EventsTellWhenTheStreamHasPassedThem) {
    const Stream stream;
    Event start;
    Event end;
    EXPECT_THROW(elapsed_us(start, end), DeviceError) << "never recorded";
    start.record(stream.handle());
    spin(50'000'000, stream.handle());
    end.record(stream.handle());
    end.synchronize();
    EXPECT_GE(elapsed_us(start, end), 49'000);
    context_->synchronize();
}

TEST(Check, NamesTheErrorAndTheAttempt) {
    EXPECT_NO_THROW(check(CUDA_SUCCESS, "do nothing"));
    try {
        check(CUDA_ERROR_INVALID_VALUE, "launch a kernel");
        FAIL() << "an error code must throw";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot launch a kernel: CUDA_ERROR_INVALID_VALUE ("));
    }
}

}  // namespace
}  // namespace redtune::gpu
