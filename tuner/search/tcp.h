#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace redtune::search {

/// A socket descriptor that is closed at the end of its life.
class Socket {
  public:
    explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
    Socket(Socket&& other) noexcept : descriptor_(other.release()) {}
    Socket& operator=(Socket&& other) noexcept;
    ~Socket();

    int descriptor() const { return descriptor_; }
    /// Returns the descriptor, which the caller closes.
    int release();

  private:
    int descriptor_;
};

/// Listens on a free port of all IPv4 addresses of this machine. @throws Error with the reason
Socket listen_on_free_port();
std::uint16_t port_of(const Socket& listening);

/// Returns the next connection; empty if none comes within this time.
std::optional<Socket> accept_within(const Socket& listening, std::chrono::milliseconds limit);

/// Connects to a numeric IPv4 address; empty if that fails or takes longer.
std::optional<Socket> connect_within(const std::string& address, std::uint16_t port, std::chrono::milliseconds limit);

}  // namespace redtune::search
