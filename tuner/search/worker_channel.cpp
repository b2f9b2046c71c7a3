#include "tuner/search/worker_channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "redtune/error.h"

namespace redtune::search {

namespace {

constexpr std::string_view mark = "RDT1";
constexpr std::size_t header_bytes = 8;
/// A signal can arrive between the test of the stop flag and the wait, so that the wait does not end. It is therefore
/// cut into pieces of this length.
constexpr std::chrono::milliseconds longest_poll{10};

std::string header_for(std::size_t length) {
    std::string header(mark);
    for (const int shift : {24, 16, 8, 0}) header.push_back(static_cast<char>((length >> shift) & 0xff));
    return header;
}

std::size_t length_in(std::string_view header) {
    std::size_t length = 0;
    for (const char byte : header.substr(mark.size(), 4)) length = length << 8 | static_cast<unsigned char>(byte);
    return length;
}

bool is_transient(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

WorkerChannel::WorkerChannel(int descriptor) : descriptor_(descriptor) {
    fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

WorkerChannel::~WorkerChannel() {
    close(descriptor_);
}

WorkerChannel::Outcome WorkerChannel::send(std::string_view message, const Until& until) {
    if (message.size() > most_bytes) {
        throw InputError(fmt::format("a message of {} bytes is too long; the most is {}", message.size(), most_bytes));
    }
    const std::string bytes = header_for(message.size()).append(message);
    std::string_view rest = bytes;
    while (!rest.empty()) {
        const ssize_t sent = ::send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(sent));
        } else if (!is_transient(errno)) {
            return Outcome::closed;
        } else if (const auto ended = wait(POLLOUT, until)) {
            return *ended;
        }
    }
    return Outcome::done;
}

WorkerChannel::Outcome WorkerChannel::receive(std::string& message, const Until& until) {
    for (;;) {
        const bool is_open = read_available();
        if (take_message(message)) return Outcome::done;
        if (!is_open) {
            if (received_.empty()) return Outcome::closed;
            throw InputError(fmt::format("it ends in the middle of a message, after {} bytes", received_.size()));
        }
        if (const auto ended = wait(POLLIN, until)) return *ended;
    }
}

bool WorkerChannel::has_unread() {
    read_available();
    return !received_.empty();
}

void WorkerChannel::close_for_sending() {
    shutdown(descriptor_, SHUT_WR);
}

void WorkerChannel::close_both_ways() {
    shutdown(descriptor_, SHUT_RDWR);
}

/// Moves the first message out of the received bytes.
/// @return false if it is not complete
bool WorkerChannel::take_message(std::string& message) {
    const std::string_view bytes = received_;
    const std::size_t known = std::min(bytes.size(), mark.size());
    if (bytes.substr(0, known) != mark.substr(0, known)) {
        throw InputError(fmt::format("{} bytes came that do not begin a message", bytes.size()));
    }
    if (bytes.size() < header_bytes) return false;
    const std::size_t length = length_in(bytes);
    if (length > most_bytes) {
        throw InputError(fmt::format("a message of {} bytes was announced; the most is {}", length, most_bytes));
    }
    if (bytes.size() - header_bytes < length) return false;
    message = bytes.substr(header_bytes, length);
    received_.erase(0, header_bytes + length);
    return true;
}

bool WorkerChannel::read_available() {
    std::array<char, 1 << 16> buffer;
    // A peer that never stops writing must not keep this function busy for ever.
    while (received_.size() <= header_bytes + most_bytes) {
        const ssize_t size = recv(descriptor_, buffer.data(), buffer.size(), 0);
        if (size < 0) return is_transient(errno);
        if (size == 0) return false;
        received_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return true;
}

/// Waits until the socket is ready. @return empty if it is, or if nothing is known yet; else why the wait ended
std::optional<WorkerChannel::Outcome> WorkerChannel::wait(short events, const Until& until) const {
    if (until.is_stopped()) return Outcome::stopped;
    auto piece = longest_poll;
    if (until.deadline) {
        const auto left = *until.deadline - Clock::now();
        if (left <= Clock::duration::zero()) return Outcome::expired;
        piece = std::min(piece, std::chrono::ceil<std::chrono::milliseconds>(left));
    }
    pollfd ready{descriptor_, events, 0};
    poll(&ready, 1,
         until.deadline || until.stop != nullptr || until.also != nullptr ? static_cast<int>(piece.count()) : -1);
    return std::nullopt;
}

}  // namespace redtune::search
