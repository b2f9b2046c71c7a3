#include "tuner/search/tcp.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "redtune/error.h"

namespace redtune::search {

namespace {

/// Makes the system notice within some 7 s that the machine at the other end is gone: sooner than any measurement may
/// take, so that no trial is blamed. Messages are short and each waits for an answer, so they are sent at once.
void configure(const Socket& socket) {
    const auto set = [&](int level, int option, int value) {
        setsockopt(socket.descriptor(), level, option, &value, sizeof value);
    };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 3);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 1);
    set(IPPROTO_TCP, TCP_KEEPCNT, 4);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, 7000);
    set(IPPROTO_TCP, TCP_NODELAY, 1);
}

bool is_ready(int descriptor, short events, std::chrono::milliseconds limit) {
    pollfd ready{descriptor, events, 0};
    return poll(&ready, 1, static_cast<int>(limit.count())) > 0;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

Socket::~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
}

int Socket::release() {
    return std::exchange(descriptor_, -1);
}

Socket listen_on_free_port() {
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_ANY);
    const bool listens = socket.descriptor() >= 0 &&
                         bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 &&
                         listen(socket.descriptor(), SOMAXCONN) == 0;
    if (listens) return socket;
    throw Error(fmt::format("rank 0 cannot wait for the other ranks on a TCP port: {}", std::strerror(errno)));
}

std::uint16_t port_of(const Socket& listening) {
    sockaddr_in own{};
    socklen_t size = sizeof own;
    getsockname(listening.descriptor(), reinterpret_cast<sockaddr*>(&own), &size);
    return ntohs(own.sin_port);
}

std::optional<Socket> accept_within(const Socket& listening, std::chrono::milliseconds limit) {
    if (!is_ready(listening.descriptor(), POLLIN, limit)) return std::nullopt;
    Socket socket(accept4(listening.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.descriptor() < 0) return std::nullopt;
    configure(socket);
    return socket;
}

std::optional<Socket> connect_within(const std::string& address, std::uint16_t port, std::chrono::milliseconds limit) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) return std::nullopt;
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.descriptor() < 0) return std::nullopt;
    if (connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
        if (errno != EINPROGRESS || !is_ready(socket.descriptor(), POLLOUT, limit)) return std::nullopt;
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0) return std::nullopt;
    }
    configure(socket);
    return socket;
}

}  // namespace redtune::search
