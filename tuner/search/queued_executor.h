#pragma once

#include <memory>
#include <utility>

#include "tuner/search/capable_executor.h"
#include "tuner/search/request_queue.h"
#include "tuner/search/shared_compilation.h"

namespace redtune::search {

/// Measures for one of several threads that share an executor: it passes the thread's requests on through a queue. A
/// compiler of its own first compiles the kernels, so that the shared executor, which may measure for another thread
/// meanwhile, takes them from the cache.
class QueuedExecutor final : public CapableExecutor {
  public:
    /// @param in_use the data that the shared executor uses. The QueuedExecutors of all threads share this object, and
    /// only their requests use it.
    /// @param data the data of this thread's first measurements
    /// @param compiler null: the shared executor compiles
    /// @param compilation shared by the compilers of all threads
    /// All references must outlive the object.
    QueuedExecutor(Executor& executor, RequestQueue& queue, timing::Data& in_use, timing::Data data,
                   std::unique_ptr<Executor> compiler, SharedCompilation& compilation)
        : CapableExecutor(executor),
          executor_(executor),
          queue_(queue),
          in_use_(in_use),
          data_(std::move(data)),
          compiler_(std::move(compiler)),
          compilation_(compilation) {}

    /// As Executor::use_data(), but the other threads' measurements keep their data.
    void use_data(const timing::Data& data) override { data_ = data; }
    /// `progress` reports what the compiler does.
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    /// As Executor::prepare_and_screen(). The shared executor screens the ready trials while no thread has a request.
    void prepare_and_screen(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                            const std::atomic<bool>& stop, const ReadyTrials& ready) override;
    bool has_compiled(const Trial& trial) const override { return compilation_.has_compiled(trial); }
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    void screen(std::uint64_t n, Regime regime, ScreeningQueue& queue) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;

  private:
    /// Compiles the kernels of the trials, with the compiler of this thread if it has one, and makes the shared
    /// executor load them.
    /// @param spare_work see RequestQueue::Compiling
    void compile(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop, std::function<bool()> spare_work);
    /// Makes the shared executor use this thread's data. To be called in a request.
    void change_data();

    Executor& executor_;
    RequestQueue& queue_;
    timing::Data& in_use_;
    timing::Data data_;
    std::unique_ptr<Executor> compiler_;
    SharedCompilation& compilation_;
};

}  // namespace redtune::search
