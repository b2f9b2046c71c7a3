// A worker process for the tests of WorkerExecutor. It measures as FakeExecutor does, and misbehaves as the environment
// variable REDTUNE_TEST_WORKER says: lines "EVENT = BEHAVIOUR". Every event is written to the file
// REDTUNE_TEST_WORKER_LOG, one a line.

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <sstream>
#include <string>

#include "tests/search/sweep_fixture.h"
#include "tuner/core/environment.h"
#include "tuner/search/worker_server.h"

namespace redtune::search {
namespace {

constexpr int socket_descriptor = STDIN_FILENO;

[[noreturn]] void wait_for_ever() {
    for (;;) pause();
}

void write_raw(const std::string& bytes) {
    if (::write(socket_descriptor, bytes.data(), bytes.size()) < 0) std::_Exit(1);
}

/// Returns a framed message that says that it has this length.
std::string framed(const std::string& text, std::size_t length) {
    std::string frame = "RDT1";
    for (const int shift : {24, 16, 8, 0}) frame.push_back(static_cast<char>(length >> shift));
    return frame + text;
}

void behave(const std::string& behaviour) {
    if (behaviour == "segfault") std::raise(SIGSEGV);
    if (behaviour == "kill") std::raise(SIGKILL);
    if (behaviour == "stop") std::raise(SIGSTOP);
    if (behaviour == "exit") std::_Exit(7);
    if (behaviour == "hang") wait_for_ever();
    if (behaviour == "lose_device") {
        throw DeviceError("cannot finish the work queued on the device: CUDA_ERROR_ILLEGAL_ADDRESS");
    }
    if (behaviour == "exhaust_memory") throw std::bad_alloc();
    if (behaviour == "truncated") {
        write_raw(framed(R"({"reply":)", 1000));
        std::_Exit(0);
    }
    const std::map<std::string, std::string> messages = {
        {"no_json", "\xff\xfe{{"},
        {"other_reply", to_message(WorkerReply(Prepared{}))},
        {"progress", R"({"reply":"progress","done":1,"total":2,"from_cache":0,"failed":0})"},
        {"unknown_reply", R"({"reply":"goodbye"})"},
        {"no_measurement", to_message(WorkerReply(Measured{}))}};
    if (behaviour == "garbage") write_raw("Segmentation fault (core dumped)\n");
    if (behaviour == "too_long") write_raw(framed("", 0xffffffff));
    if (const auto found = messages.find(behaviour); found != messages.end()) {
        write_raw(framed(found->second, found->second.size()));
    }
    wait_for_ever();
}

class Events {
  public:
    Events() {
        const auto log = environment_variable("REDTUNE_TEST_WORKER_LOG");
        is_first_worker_ = !log || !std::ifstream(*log);
        std::istringstream lines(environment_variable("REDTUNE_TEST_WORKER").value_or(""));
        for (std::string line; std::getline(lines, line);) {
            const std::size_t middle = line.find(" = ");
            behaviours_[line.substr(0, middle)] = line.substr(middle + 3);
        }
    }

    void happen(const std::string& event, const std::string& details = "") {
        if (const auto log = environment_variable("REDTUNE_TEST_WORKER_LOG")) {
            std::ofstream(*log, std::ios::app) << event << details << "\n" << std::flush;
        }
        if (const auto found = behaviours_.find(event); found != behaviours_.end()) behave(found->second);
    }

    /// Returns whether no other worker has written to the log.
    bool is_first_worker() const { return is_first_worker_; }

  private:
    std::map<std::string, std::string> behaviours_;
    bool is_first_worker_ = false;
};

class MisbehavingExecutor final : public FakeExecutor {
  public:
    explicit MisbehavingExecutor(Events& events) : events_(events) {}

    void use_data(const timing::Data& data) override {
        events_.happen("data " + data.name);
        FakeExecutor::use_data(data);
    }
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& is_stopped) override {
        events_.happen("prepare");
        PrepareProgress done{0, trials.size(), 0, 0};
        for (const Trial& trial : trials) {
            events_.happen("prepare " + to_string(trial.configuration));
            ++done.done;
            progress(done);
        }
        FakeExecutor::prepare(trials, progress, is_stopped);
    }
    void skip_hard_sizes(const Trial& trial) override { events_.happen("skip " + to_string(trial.configuration)); }
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override {
        if (!is_comparing_) {
            events_.happen("measure " + to_string(trial.configuration));
            events_.happen(std::string(to_string(stage)) + " " + to_string(trial.configuration),
                           " at " + std::to_string(n));
        }
        return FakeExecutor::measure(trial, n, regime, stage, best_us);
    }
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override {
        if (trials.size() > 1) events_.happen("compare several");
        for (const Trial& trial : trials) events_.happen("compare " + to_string(trial.configuration));
        is_comparing_ = true;
        std::vector<Measurement> measurements = FakeExecutor::compare(trials, n, regime, rounds);
        is_comparing_ = false;
        return measurements;
    }

  private:
    Events& events_;
    bool is_comparing_ = false;
};

[[noreturn]] void run() {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGSEGV, SIG_DFL);
    become_worker();
    Events events;
    events.happen("start", " " + std::to_string(getpid()));
    if (events.is_first_worker()) events.happen("first start");
    serve_worker(socket_descriptor, [&](const WorkerTask& task) {
        events.happen(task.compiles_for.empty() ? "open" : "open compiler");
        return std::make_unique<MisbehavingExecutor>(events);
    });
}

}  // namespace
}  // namespace redtune::search

int main() {
    redtune::search::run();
}
