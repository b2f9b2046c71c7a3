#include "tuner/search/worker_process.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "redtune/error.h"

namespace redtune::search {

struct WorkerProcess::Sockets {
    Sockets() {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0) return;
        throw DeviceError(fmt::format("cannot make the socket to a worker process: {}", std::strerror(errno)));
    }
    ~Sockets() { close(ends[1]); }
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;

    std::array<int, 2> ends{};
};

WorkerProcess::WorkerProcess(const WorkerCommand& command) : WorkerProcess(command, Sockets()) {}

WorkerProcess::WorkerProcess(const WorkerCommand& command, const Sockets& sockets)
    : channel_(sockets.ends[0]), process_(command, sockets.ends[1]) {}

}  // namespace redtune::search
