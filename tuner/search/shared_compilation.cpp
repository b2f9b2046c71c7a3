#include "tuner/search/shared_compilation.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/search/planner.h"

namespace redtune::search {

namespace {

/// So many kernels are compiled at a time that every core has some, and that another thread, which needs the same
/// kernels, can compile others of them meanwhile.
constexpr std::size_t most_at_a_time = 16;

/// Returns a name for the kernels of a trial: the one that reduces the elements, and those that combine its results.
std::string kernels_of(const Trial& trial, const std::vector<Family>& families) {
    return fmt::format("{} {} {}", kernel_of(trial, families), static_cast<int>(trial.rule.continuation),
                       trial.rule.combine_block);
}

}  // namespace

/// Some kernels that the calling thread compiles. Their compilation ends with the object, even if the compiler throws.
class SharedCompilation::Claim {
  public:
    /// Claims the first of the trials' kernels that no thread has claimed, at most `most_at_a_time`.
    Claim(SharedCompilation& shared, std::span<const Trial> trials) : shared_(shared) {
        const std::lock_guard lock(shared_.mutex_);
        for (const Trial& trial : trials) {
            if (trials_.size() == most_at_a_time) break;
            std::string name = kernels_of(trial, shared_.families_);
            if (!shared_.begun_.insert(name).second) continue;
            trials_.push_back(trial);
            shared_.in_work_.insert(name);
            names_.push_back(std::move(name));
        }
    }
    ~Claim() {
        {
            const std::lock_guard lock(shared_.mutex_);
            for (const std::string& name : names_) shared_.in_work_.erase(name);
        }
        shared_.ended_.notify_all();
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    /// One trial for each of the claimed kernels.
    const std::vector<Trial>& trials() const { return trials_; }

  private:
    SharedCompilation& shared_;
    std::vector<std::string> names_;
    std::vector<Trial> trials_;
};

bool SharedCompilation::has_compiled(const Trial& trial) const {
    const std::string name = kernels_of(trial, families_);
    const std::lock_guard lock(mutex_);
    return begun_.contains(name) && !in_work_.contains(name);
}

void SharedCompilation::prepare(Executor& compiler, std::span<const Trial> trials,
                                const std::function<void(const PrepareProgress&)>& progress,
                                const std::atomic<bool>& stop) {
    PrepareProgress done;  // by the earlier claims of this call
    while (!stop) {
        PrepareProgress now = done;
        {
            const Claim claim(*this, trials);
            if (claim.trials().empty()) break;
            const auto report = [&](const PrepareProgress& of_claim) {
                now = done;
                now += of_claim;
                if (progress) progress(now);
            };
            compiler.prepare(claim.trials(), report, stop);
        }
        done = now;
        if (progress) progress(done);
    }
    std::set<std::string> names;
    for (const Trial& trial : trials) names.insert(kernels_of(trial, families_));
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] {
        return std::ranges::none_of(names, [&](const std::string& name) { return in_work_.contains(name); });
    });
}

}  // namespace redtune::search
