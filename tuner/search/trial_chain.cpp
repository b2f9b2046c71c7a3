#include "tuner/search/trial_chain.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tuner/search/executor.h"

namespace redtune::search {

TrialChain::TrialChain(Link first, NextLink next_link)
    : next_link_(std::move(next_link)), current_(std::make_shared<Client>(Client{std::move(first)})) {}

std::optional<TrialRequest> TrialChain::next() {
    for (;;) {
        if (current_ == nullptr) {
            std::optional<Link> link = next_link_();
            if (!link) return std::nullopt;
            current_ = std::make_shared<Client>(Client{std::move(*link)});
        }
        called_ = current_;
        const std::optional<TrialRequest> request = current_->link.trials->next();
        called_ = nullptr;
        if (request) {
            ++current_->in_hand;
            in_hand_.push_back(current_);
            return request;
        }
        const std::shared_ptr<Client> client = std::exchange(current_, nullptr);
        client->has_next = false;
        end_if_done(client);
    }
}

void TrialChain::report(Measurement measurement, bool is_device_busy) {
    called_ = in_hand_.front();
    in_hand_.pop_front();
    --called_->in_hand;
    called_->link.trials->report(std::move(measurement), is_device_busy);
    end_if_done(std::exchange(called_, nullptr));
}

void TrialChain::fail(const std::exception_ptr& failure) {
    std::vector<std::shared_ptr<Client>> left;  // the one to blame is the first
    const auto add = [&](const std::shared_ptr<Client>& client) {
        if (client != nullptr && std::ranges::find(left, client) == left.end()) left.push_back(client);
    };
    add(called_);
    for (const auto& client : in_hand_) add(client);
    add(current_);
    for (const auto& client : left) {
        client->link.end(client == left.front() ? failure : std::make_exception_ptr(Stopped()));
    }
}

void TrialChain::end_if_done(const std::shared_ptr<Client>& client) {
    if (!client->has_next && client->in_hand == 0) client->link.end(nullptr);
}

}  // namespace redtune::search
