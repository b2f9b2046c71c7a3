#include "tuner/search/compile_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "tuner/jit/source_set.h"
#include "tuner/search/planner.h"

namespace redtune::search {

namespace {

/// Kernels that a compiler takes at a time if few wait: one for each of its threads, so that they can soon be run.
constexpr std::size_t at_a_time = 2;

}  // namespace

CompileQueue::CompileQueue(const std::vector<Family>& families, std::span<const CellKey> order) : families_(families) {
    for (const CellKey& cell : order) number_of(cell);
}

/// Returns the number of a cell, which may be new.
std::size_t CompileQueue::number_of(const CellKey& cell) {
    return numbers_.try_emplace(cell, numbers_.size() + 1).first->second;
}

std::string CompileQueue::kernels_of(const Trial& trial) const {
    return search::kernels_of(trial, families_);
}

bool CompileQueue::wait_for(std::span<const Trial> trials, const std::optional<CellKey>& cell,
                            const std::atomic<bool>* is_enough) {
    std::vector<std::string> names;
    for (const Trial& trial : trials) names.push_back(kernels_of(trial));
    std::unique_lock lock(mutex_);
    const std::size_t number = cell ? number_of(*cell) : 0;
    for (std::size_t i = 0; i < names.size(); ++i) want(names[i], trials[i], number);
    changed_.notify_all();
    changed_.wait(lock, [&] {
        return compilers_ == 0 || (is_enough != nullptr && *is_enough) ||
               std::ranges::all_of(names, [&](const std::string& name) { return kernels_.at(name).is_done(); });
    });
    const bool are_compiled =
        std::ranges::all_of(names, [&](const std::string& name) { return kernels_.at(name).state == State::compiled; });
    for (const std::string& name : names) {
        --kernels_.at(name).wanted;
        if (is_enough != nullptr && *is_enough) withdraw(name);
    }
    return are_compiled;
}

/// Queues a kernel for a cell, unless it is queued or taken. If it waits for later cells only, it moves forward.
void CompileQueue::want(const std::string& name, const Trial& trial, std::size_t cell) {
    const auto [entry, is_new] = kernels_.try_emplace(name);
    Kernel& kernel = entry->second;
    ++kernel.wanted;
    if (is_new) {
        add_waiting(name, trial, cell);
    } else if (kernel.state == State::waiting && cell < kernel.place.first) {
        auto moved = waiting_.extract(kernel.place);
        kernel.place.first = cell;
        moved.key() = kernel.place;
        waiting_.insert(std::move(moved));
    }
}

/// Adds a kernel to those that wait, behind the other ones of its cell.
void CompileQueue::add_waiting(const std::string& name, const Trial& trial, std::size_t cell) {
    Kernel& kernel = kernels_.at(name);
    kernel.state = State::waiting;
    kernel.place = {cell, queued_++};
    const Family& family = jit::find_family(families_, trial.configuration.family);
    waiting_.emplace(kernel.place, Waiting{name, trial, family.path});
}

/// Takes a kernel out of the queue if nobody waits for it and no compiler has taken it.
void CompileQueue::withdraw(const std::string& name) {
    const auto found = kernels_.find(name);
    if (found->second.wanted != 0 || found->second.state != State::waiting) return;
    waiting_.erase(found->second.place);
    kernels_.erase(found);
}

bool CompileQueue::has(const std::string& kernels) const {
    const std::lock_guard lock(mutex_);
    return kernels_.contains(kernels);
}

bool CompileQueue::has_compiled(const std::string& kernels) const {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(kernels);
    return found != kernels_.end() && found->second.is_done();
}

std::size_t CompileQueue::compilations() const {
    const std::lock_guard lock(mutex_);
    return compilations_;
}

void CompileQueue::wake() {
    {
        const std::lock_guard lock(mutex_);  // a compiler that has just looked waits now, or has not looked yet
    }
    changed_.notify_all();
}

/// Waits for kernels to compile and takes some. An empty job says that there will be none.
CompileQueue::Job CompileQueue::take_job(const NextAhead& ahead, const std::atomic<bool>& stop) {
    Job job;
    std::unique_lock lock(mutex_);
    for (; !stop; changed_.wait(lock)) {
        while (!waiting_.empty() && job.names.size() < at_a_time) take(waiting_.begin(), job);
        if (waiting_.size() > at_a_time * compilers_) take_of_same_files(job);
        while (job.names.size() < at_a_time) {
            const Trial* trial = ahead();
            if (trial == nullptr) break;
            std::string name = kernels_of(*trial);
            const auto [entry, is_new] = kernels_.try_emplace(name);
            if (!is_new) continue;
            entry->second.state = State::compiling;
            job.names.push_back(std::move(name));
            job.trials.push_back(*trial);
        }
        if (!job.names.empty()) break;
    }
    return job;
}

/// Adds a kernel to a job.
void CompileQueue::take(WaitingKernels::iterator waiting, Job& job) {
    kernels_.at(waiting->second.name).state = State::compiling;
    job.names.push_back(std::move(waiting->second.name));
    job.trials.push_back(std::move(waiting->second.trial));
    waiting_.erase(waiting);
}

/// Adds to a job, for each of its kernels, another one of the same file, because two kernels in one program compile
/// faster than in a program each.
void CompileQueue::take_of_same_files(Job& job) {
    for (std::size_t i = 0, count = job.names.size(); i < count; ++i) {
        const std::string& file = jit::find_family(families_, job.trials[i].configuration.family).path;
        const auto found = std::ranges::find_if(waiting_, [&](const auto& each) { return each.second.file == file; });
        if (found != waiting_.end()) take(found, job);
    }
}

/// Says what has become of the kernels of a job.
void CompileQueue::end(const Job& job, State state) {
    {
        const std::lock_guard lock(mutex_);
        for (const std::string& name : job.names) kernels_.at(name).state = state;
        ++compilations_;
    }
    changed_.notify_all();
}

/// Puts the kernels of a job that threads wait for back into the queue, and forgets the others.
void CompileQueue::give_back(const Job& job) {
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < job.names.size(); ++i) {
            const auto found = kernels_.find(job.names[i]);
            if (found->second.wanted == 0) {
                kernels_.erase(found);
            } else {
                add_waiting(job.names[i], job.trials[i], found->second.place.first);
            }
        }
    }
    changed_.notify_all();
}

CompileQueue::Compiler::Compiler(CompileQueue& queue, std::unique_ptr<Executor> executor)
    : queue_(queue), executor_(std::move(executor)) {
    const std::lock_guard lock(queue_.mutex_);
    ++queue_.compilers_;
}

CompileQueue::Compiler::~Compiler() {
    {
        const std::lock_guard lock(queue_.mutex_);
        --queue_.compilers_;
    }
    queue_.changed_.notify_all();
}

void CompileQueue::Compiler::run(const NextAhead& ahead, const std::function<void(const PrepareProgress&)>& compiled,
                                 const std::atomic<bool>& stop) {
    try {
        // Takes no kernels before it can compile them: cells whose kernels come first may ask later than others.
        executor_->warm_up();
    } catch (const std::exception&) {
        return;
    }
    bool has_failed = false;
    while (!has_failed) {
        const Job job = queue_.take_job(ahead, stop);
        if (job.names.empty()) return;
        PrepareProgress progress;
        try {
            executor_->prepare(
                job.trials, [&](const PrepareProgress& now) { progress = now; }, stop);
        } catch (const std::exception&) {
            has_failed = true;  // the executor that measures compiles what is left, or says why nobody can
        }
        const bool is_done = !has_failed && progress.total != 0 && progress.done == progress.total;
        if (!is_done && !has_failed && stop) return queue_.give_back(job);
        queue_.end(job, is_done ? State::compiled : State::left);
        compiled(progress);
    }
}

}  // namespace redtune::search
