#include "tuner/search/rank_hub.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/executor.h"
#include "tuner/search/rank_address.h"
#include "tuner/search/remote_worker.h"

namespace redtune::search {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_offers{50};
/// A connection that has not offered a unit by then is a stranger's.
constexpr std::chrono::milliseconds offers_within{5000};
/// A rank needs some seconds to end a worker that hangs and to start the next one.
constexpr std::chrono::milliseconds new_worker_within{30'000};
/// The byte that a rank reads before its worker gets the connection (rank_agent.cpp).
constexpr char accepted = 'A';

}  // namespace

RankHub::RankHub(std::filesystem::path file, const std::string& job)
    : file_(std::move(file)), token_(random_token()), listening_(listen_on_free_port()) {
    write_rank_address(file_, {job, host_name(), host_addresses(), port_of(listening_), token_});
    thread_ = std::thread([this] { accept_connections(); });
}

RankHub::~RankHub() {
    ends_ = true;
    thread_.join();
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
}

void RankHub::accept_connections() {
    while (!ends_) {
        if (auto connection = accept_within(listening_, between_offers)) accept_unit(std::move(*connection));
    }
}

void RankHub::accept_unit(Socket connection) {
    const int descriptor = connection.release();
    auto channel = std::make_unique<WorkerChannel>(descriptor);
    UnitOffer offer;
    try {
        std::string message;
        if (channel->receive(message, {Clock::now() + offers_within, &ends_}) != WorkerChannel::Outcome::done) return;
        offer = offer_from_message(message);
    } catch (const InputError&) {
        return;
    }
    if (offer.token != token_) return;
    const std::string name = offer.name();
    // The lock is held while the acceptance is sent, so that a unit that has received it is among the offers.
    const std::lock_guard lock(mutex_);
    if (::send(descriptor, &accepted, 1, MSG_NOSIGNAL) != 1) return;
    offers_.insert_or_assign(name, std::move(offer));
    connections_[name] = std::move(channel);
    changed_.notify_all();
}

/// Returns the number of ranks that have offered as many units as they have.
std::size_t RankHub::complete_ranks() const {
    std::map<std::size_t, std::size_t> left;  // units of each rank that have not come
    for (const auto& [name, offer] : offers_) --left.try_emplace(offer.rank, offer.units).first->second;
    return static_cast<std::size_t>(
        std::count_if(left.begin(), left.end(), [](const auto& rank) { return rank.second == 0; }));
}

std::vector<UnitOffer> RankHub::await_ranks(std::size_t ranks, std::chrono::milliseconds limit,
                                            const std::atomic<bool>& stop) {
    const auto deadline = Clock::now() + limit;
    std::unique_lock lock(mutex_);
    while (complete_ranks() < ranks && !stop && Clock::now() < deadline) changed_.wait_for(lock, between_offers);
    std::map<std::pair<std::size_t, std::string>, UnitOffer> sorted;
    for (const auto& [name, offer] : offers_) sorted[{offer.rank, offer.label}] = offer;
    std::vector<UnitOffer> units;
    for (auto& [key, offer] : sorted) units.push_back(std::move(offer));
    return units;
}

StartWorker RankHub::workers_of(const UnitOffer& unit, const std::atomic<bool>& stop) {
    return [this, name = unit.name(), &stop]() -> std::unique_ptr<WorkerLink> {
        const auto deadline = Clock::now() + new_worker_within;
        std::unique_lock lock(mutex_);
        while (!connections_.contains(name)) {
            if (stop) throw Stopped();
            if (Clock::now() >= deadline) {
                throw DeviceError(fmt::format("{} has started no worker within {} s; it or its machine is lost", name,
                                              new_worker_within.count() / 1000));
            }
            changed_.wait_for(lock, between_offers);
        }
        auto channel = std::move(connections_.extract(name).mapped());
        return std::make_unique<RemoteWorker>(std::move(channel), name);
    };
}

}  // namespace redtune::search
