#include "tuner/search/rank_agent.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <thread>

#include "redtune/error.h"
#include "tuner/search/rank_address.h"
#include "tuner/search/tcp.h"
#include "tuner/search/worker_channel.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::search {

namespace {

using Clock = std::chrono::steady_clock;

/// Ranks start at different times, and a file on a shared file system may be seen late.
constexpr std::chrono::milliseconds rank_0_within{60'000};
constexpr std::chrono::milliseconds between_attempts{50};
constexpr std::chrono::milliseconds connects_within{5000};
constexpr std::chrono::milliseconds answers_within{30'000};
/// A worker that has nothing to do ends by itself when its connection ends.
constexpr std::chrono::milliseconds disconnected_worker_ends_within{3000};
/// A GPU's driver may hold a killed process for a while.
constexpr std::chrono::milliseconds killed_worker_ends_within{10'000};

bool has_event(int descriptor, short events, std::chrono::milliseconds limit) {
    pollfd ready{descriptor, events, 0};
    return poll(&ready, 1, static_cast<int>(limit.count())) > 0;
}

std::optional<Socket> connect_to(const RankAddress& address) {
    // On the same machine, the addresses of a network may be filtered.
    if (address.host == host_name()) {
        if (auto socket = connect_within("127.0.0.1", address.port, connects_within)) return socket;
    }
    for (const std::string& each : address.addresses) {
        if (auto socket = connect_within(each, address.port, connects_within)) return socket;
    }
    return std::nullopt;
}

/// Sends a message over a connection that keeps its own descriptor.
bool send_over(const Socket& socket, const std::string& message) {
    WorkerChannel channel(dup(socket.descriptor()));
    return channel.send(message, {Clock::now() + answers_within, nullptr}) == WorkerChannel::Outcome::done;
}

/// Keeps a worker connected to rank 0.
class UnitAgent {
  public:
    UnitAgent(const std::filesystem::path& file, const std::string& job, UnitOffer unit, const WorkerCommand& command)
        : file_(file), job_(job), unit_(std::move(unit)), command_(command) {}

    void run() {
        auto connection = connect(rank_0_within);
        if (!connection) {
            throw Error(fmt::format(
                "{} found no rank 0 within {} s: rank 0 writes its address to {}, so that folder must be shared by all "
                "machines, and its machine must accept TCP connections from this one",
                unit_.name(), rank_0_within.count() / 1000, file_.string()));
        }
        // Rank 0 removes the file at its end, and accepts no connection.
        for (; connection; connection = connect(std::chrono::milliseconds(0))) run_worker(*connection);
    }

  private:
    /// Returns a connection on which rank 0 has accepted the unit; empty if there is none within this time.
    std::optional<Socket> connect(std::chrono::milliseconds limit) {
        const auto deadline = Clock::now() + limit;
        for (;;) {
            if (const auto address = read_rank_address(file_, job_)) {
                if (auto socket = connect_to(*address); socket && is_accepted(*socket, address->token)) return socket;
            }
            if (Clock::now() >= deadline) return std::nullopt;
            std::this_thread::sleep_for(between_attempts);
        }
    }

    bool is_accepted(const Socket& socket, const std::string& token) {
        unit_.token = token;
        if (!send_over(socket, to_message(unit_))) return false;
        if (!has_event(socket.descriptor(), POLLIN, answers_within)) return false;
        // Only this byte is read: what follows is for the worker.
        char answer = 0;
        return recv(socket.descriptor(), &answer, 1, 0) == 1 && answer == 'A';
    }

    /// Runs a worker until it has ended, or until rank 0 has closed the connection.
    void run_worker(const Socket& connection) const {
        ChildProcess worker(command_, connection.descriptor());
        while (!has_event(connection.descriptor(), POLLRDHUP, between_attempts)) {
            const auto end = worker.wait_for_end(std::chrono::milliseconds(0));
            if (!end) continue;
            if (*end != "exited with code 0") {
                send_over(connection, to_message(WorkerReply(TrialLost{Status::fault, "the worker process " + *end})));
            }
            return;
        }
        if (worker.wait_for_end(disconnected_worker_ends_within)) return;
        worker.kill();
        worker.wait_for_end(killed_worker_ends_within);
    }

    const std::filesystem::path& file_;
    const std::string& job_;
    UnitOffer unit_;
    const WorkerCommand& command_;
};

}  // namespace

void serve_rank_0(const std::filesystem::path& file, const std::string& job, const std::vector<UnitOffer>& units,
                  const WorkerCommand& command) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    std::vector<std::exception_ptr> errors(units.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < units.size(); ++i) {
        threads.emplace_back([&, i] {
            try {
                UnitAgent(file, job, units[i], command).run();
            } catch (...) {
                errors[i] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace redtune::search
