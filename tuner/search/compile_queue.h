#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/prior.h"

namespace redtune::search {

/// Divides the kernels that several threads wait for among several compilers, so that each is compiled once. The
/// compilers put them into the same cache. The kernels of one cell come after those of another, so that one cell after
/// another is screened, and the device has survivors and finalists to time while other cells wait. A kernel that
/// several cells wait for comes with the first of them. Thread-safe.
class CompileQueue {
  public:
    /// Returns the next trial whose kernels will be needed, though nobody waits for them yet; null if there is none.
    /// Only one thread at a time calls it.
    using NextAhead = std::function<const Trial*()>;

    /// A compiler of the queue, from the construction of the object to its destruction.
    class Compiler {
      public:
        /// @param queue must outlive the object
        /// @param executor only compiles (Executor::make_compiler())
        Compiler(CompileQueue& queue, std::unique_ptr<Executor> executor);
        ~Compiler();
        Compiler(const Compiler&) = delete;
        Compiler& operator=(const Compiler&) = delete;

        /// Warms the executor up. Then it compiles kernels, a few at a time, those that threads wait for first, until
        /// `stop` is true or the executor throws. What it does not compile is left to the executor that measures, but
        /// what it compiles when `stop` becomes true waits for another compiler.
        /// @param compiled is called after every few kernels, when has_compiled() knows of them
        /// @param stop after a change, CompileQueue::wake() must be called
        void run(const NextAhead& ahead, const std::function<void(const PrepareProgress&)>& compiled,
                 const std::atomic<bool>& stop);

      private:
        CompileQueue& queue_;
        std::unique_ptr<Executor> executor_;
    };

    /// @param families those of the trials; must outlive the object
    /// @param order the cells in the order of their kernels. Other cells come after them, in the order of their first
    /// calls of wait_for().
    explicit CompileQueue(const std::vector<Family>& families, std::span<const CellKey> order = {});

    /// Queues the trials' kernels that nobody has queued, and waits until all of the trials' kernels are compiled,
    /// until there is no compiler, or until they are not needed any more. In the last case, those that nobody else
    /// waits for leave the queue.
    /// @param cell the cell that needs them; nullopt: they come first
    /// @param is_enough becomes true when they are not needed any more; wake() must be called then. Null: never
    /// @return whether all are compiled. If not, and if they are needed, the executor that measures must compile the
    /// rest
    bool wait_for(std::span<const Trial> trials, const std::optional<CellKey>& cell,
                  const std::atomic<bool>* is_enough = nullptr);

    /// Returns a name for the kernels that a trial of the families needs.
    std::string kernels_of(const Trial& trial) const;

    /// Returns whether these kernels are queued or were taken by a compiler.
    bool has(const std::string& kernels) const;

    /// Returns whether a compilation of these kernels has ended.
    bool has_compiled(const std::string& kernels) const;

    /// Returns a number that changes when has_compiled() does for some kernels.
    std::size_t compilations() const;

    /// Makes compilers that wait for kernels look whether they are to stop, and threads that wait for compilers whether
    /// they need wait on.
    void wake();

  private:
    /// Trials, each of which has kernels that no other one has, and the names of these kernels.
    struct Job {
        std::vector<Trial> trials;
        std::vector<std::string> names;
    };

    enum class State : std::uint8_t {
        waiting,    ///< for a compiler
        compiling,  ///< taken by a compiler
        compiled,   ///< or tried: a kernel that does not compile fails again when it is measured
        left        ///< to the executor that measures, because the compiler did not report it done
    };

    /// The place of a kernel among those that wait: the number of the first cell that waits for it, and its own number.
    using Place = std::pair<std::size_t, std::size_t>;

    struct Kernel {
        State state = State::waiting;
        Place place;
        std::size_t wanted = 0;  ///< number of calls of wait_for() that wait for it

        bool is_done() const { return state == State::compiled || state == State::left; }
    };

    /// A kernel that waits for a compiler.
    struct Waiting {
        std::string name;
        Trial trial;
        std::string file;  ///< of its family
    };
    using WaitingKernels = std::map<Place, Waiting>;

    std::size_t number_of(const CellKey& cell);
    void want(const std::string& name, const Trial& trial, std::size_t cell);
    void add_waiting(const std::string& name, const Trial& trial, std::size_t cell);
    void withdraw(const std::string& name);
    void take(WaitingKernels::iterator waiting, Job& job);
    void take_of_same_files(Job& job);
    Job take_job(const NextAhead& ahead, const std::atomic<bool>& stop);
    void end(const Job& job, State state);
    void give_back(const Job& job);

    const std::vector<Family>& families_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<CellKey, std::size_t> numbers_;  ///< of the cells, from 1, in the order of their kernels
    WaitingKernels waiting_;
    std::unordered_map<std::string, Kernel> kernels_;  ///< those and all that were taken
    std::size_t queued_ = 0;                           ///< number of kernels that were ever in `waiting_`
    std::size_t compilations_ = 0;                     ///< number of jobs that have ended
    std::size_t compilers_ = 0;
};

}  // namespace redtune::search
