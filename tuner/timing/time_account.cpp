#include "tuner/timing/time_account.h"

#include <utility>

#include "tuner/core/named.h"

namespace redtune::timing {

namespace {

constexpr std::array names = {
    Named<Activity>{"check", Activity::check},       Named<Activity>{"screening", Activity::screening},
    Named<Activity>{"survivor", Activity::survivor}, Named<Activity>{"finalist", Activity::finalist},
    Named<Activity>{"compile", Activity::compile},   Named<Activity>{"prepare", Activity::prepare},
    Named<Activity>{"database", Activity::database}};

}  // namespace

bool keeps_gpu_busy(Activity activity) noexcept {
    return activity <= Activity::finalist;
}

Activity timing_at(Stage stage) noexcept {
    switch (stage) {
        case Stage::screen:
            return Activity::screening;
        case Stage::survivor:
            return Activity::survivor;
        case Stage::final:
            break;
    }
    return Activity::finalist;
}

std::string_view to_string(Activity activity) noexcept {
    return name_of(names, activity);
}

TimeSpent& TimeSpent::operator+=(const TimeSpent& other) {
    for (const Activity activity : all_activities) (*this)[activity] += other[activity];
    return *this;
}

TimeAccount::Span::Span(TimeAccount* account, Activity activity) : account_(account) {
    if (account_ == nullptr) return;
    outer_ = account_->current_;
    account_->change_to(activity);
}

TimeAccount::Span::~Span() {
    if (account_ != nullptr) account_->change_to(outer_);
}

TimeAccount::Pause::Pause(TimeAccount* account) : account_(account) {
    if (account_ == nullptr) return;
    account_->change_to(account_->current_);
    account_->is_paused_ = true;
}

TimeAccount::Pause::~Pause() {
    if (account_ == nullptr) return;
    account_->change_to(account_->current_);
    account_->is_paused_ = false;
}

void TimeAccount::start() {
    if (started_at_) return;
    started_at_ = Clock::now();
    since_ = *started_at_;
}

void TimeAccount::move(double seconds, Activity to) {
    if (!current_ || !started_at_ || is_paused_) return;
    spent_[*current_] -= seconds;
    spent_[to] += seconds;
}

TimeSpent TimeAccount::take_spent() {
    return std::exchange(spent_, {});
}

void TimeAccount::change_to(std::optional<Activity> activity) {
    const Clock::time_point now = Clock::now();
    if (current_ && started_at_ && !is_paused_)
        spent_[*current_] += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    current_ = activity;
}

}  // namespace redtune::timing
