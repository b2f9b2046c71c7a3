#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns a text that is the same for two configurations only if they have the same kernel.
/// @param families those of the configurations
std::string kernel_of(const Configuration& configuration, const std::vector<Family>& families);

/// Keeps threads whose trials share kernels from compiling the same kernel at the same time. A thread claims the
/// kernels that it is about to compile; others leave these out, and wait until they are compiled. Thread-safe.
class KernelClaims {
  public:
    /// @param families must outlive the object
    explicit KernelClaims(const std::vector<Family>& families) : families_(families) {}

    /// A claim on kernels, until it is destroyed.
    class Claim {
      public:
        /// Claims those kernels of the trials that no other thread has claimed.
        Claim(KernelClaims& claims, std::span<const Trial> trials);
        ~Claim();
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;

        /// Returns the trials whose kernels were claimed.
        const std::vector<Trial>& trials() const { return trials_; }

      private:
        KernelClaims& claims_;
        std::set<std::string> kernels_;
        std::vector<Trial> trials_;
    };

    /// Waits until no thread claims a kernel of the trials. The calling thread must not claim any, so that two threads
    /// never wait for each other.
    void wait_for(std::span<const Trial> trials);

  private:
    const std::vector<Family>& families_;
    std::mutex mutex_;
    std::condition_variable released_;
    std::set<std::string> claimed_;
};

}  // namespace redtune::search
