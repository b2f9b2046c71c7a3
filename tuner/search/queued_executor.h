#pragma once

#include <utility>

#include "tuner/search/capable_executor.h"
#include "tuner/search/compile_queue.h"
#include "tuner/search/request_queue.h"

namespace redtune::search {

/// Measures for one of several threads that share an executor: it passes the thread's requests on through a queue. The
/// compilers of another queue compile the kernels first, so that the shared executor, which may measure for another
/// thread meanwhile, takes them from the cache.
class QueuedExecutor final : public CapableExecutor {
  public:
    /// @param in_use the data that the shared executor uses. The QueuedExecutors of all threads share this object, and
    /// only their requests use it.
    /// @param data the data of this thread's first measurements
    /// All references must outlive the object.
    QueuedExecutor(Executor& executor, RequestQueue& queue, CompileQueue& compile_queue, timing::Data& in_use,
                   timing::Data data)
        : CapableExecutor(executor),
          executor_(executor),
          queue_(queue),
          compile_queue_(compile_queue),
          in_use_(in_use),
          data_(std::move(data)) {}

    /// As Executor::use_data(), but the other threads' measurements keep their data.
    void use_data(const timing::Data& data) override { data_ = data; }
    /// `progress` is not called: the compilers say what they have compiled (CompileQueue::Compiler::run()).
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    /// As Executor::prepare_and_screen(). The shared executor screens the ready trials while no thread has a request.
    void prepare_and_screen(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                            const std::atomic<bool>& stop, const ReadyTrials& ready) override;
    const CompileQueue* compile_queue() const override { return &compile_queue_; }
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    void measure_queue(TrialQueue& queue) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;

  private:
    /// Waits for the kernels of the trials. The shared executor compiles those that the compilers leave to it.
    /// @param spare see RequestQueue::Compiling
    /// @param is_enough see CompileQueue::wait_for()
    void wait_for_kernels(std::span<const Trial> trials, const std::optional<CellKey>& cell,
                          const std::atomic<bool>& stop, std::optional<ClientTrials> spare = std::nullopt,
                          const std::atomic<bool>* is_enough = nullptr);
    /// Returns trials that are measured on this thread's data.
    ClientTrials on_own_data(TrialQueue& trials);
    /// Makes the shared executor use this thread's data. To be called in a request.
    void change_data();

    Executor& executor_;
    RequestQueue& queue_;
    CompileQueue& compile_queue_;
    timing::Data& in_use_;
    timing::Data data_;
};

}  // namespace redtune::search
