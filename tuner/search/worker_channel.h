#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::search {

/// One end of a stream socket between a process that tunes and its worker. A message is framed by a mark of four bytes
/// and its length. Not thread-safe, except that one thread may receive while another one sends.
class WorkerChannel {
  public:
    /// The longest message that is accepted; a message has at most some hundred trials or measurements.
    static constexpr std::size_t most_bytes = std::size_t{1} << 26;

    using Clock = std::chrono::steady_clock;
    /// The conditions that end a wait besides its success.
    struct Until {
        std::optional<Clock::time_point> deadline;  ///< none: wait without limit
        const std::atomic<bool>* stop = nullptr;    ///< null: none
        const std::atomic<bool>* also = nullptr;    ///< a second one, as `stop`

        bool is_stopped() const { return (stop != nullptr && *stop) || (also != nullptr && *also); }
    };
    enum class Outcome { done, closed, expired, stopped };

    /// Owns the descriptor of a stream socket and makes it non-blocking.
    explicit WorkerChannel(int descriptor);
    WorkerChannel(const WorkerChannel&) = delete;
    WorkerChannel& operator=(const WorkerChannel&) = delete;
    ~WorkerChannel();

    /// Sends one message. `closed` means that the other end reads no more.
    Outcome send(std::string_view message, const Until& until);

    /// Receives one message, even after the deadline if it is there already.
    /// @throws InputError for bytes that do not begin a message, a message of more than most_bytes, and an end in the
    /// middle of a message.
    Outcome receive(std::string& message, const Until& until);

    /// Returns whether bytes are there that no receive() has returned.
    bool has_unread();

    /// Tells the other end that no more messages come.
    void close_for_sending();
    /// Tells the other end that no more messages come, and that none is read.
    void close_both_ways();

  private:
    bool take_message(std::string& message);
    /// Reads what is there. @return false at the end of the stream
    bool read_available();
    std::optional<Outcome> wait(short events, const Until& until) const;

    int descriptor_;
    std::string received_;
};

}  // namespace redtune::search
