#include "tuner/search/compiled_trials.h"

namespace redtune::search {

bool CompiledTrials::contains(std::size_t i) {
    if (queue_ == nullptr) return false;
    if (queue_->compilations() != compilations_) look_up();
    return !is_compiled_.empty() && is_compiled_[i];
}

bool CompiledTrials::will_contain(std::size_t i) {
    if (queue_ == nullptr) return false;
    name_kernels();
    return queue_->has(kernels_[i]);
}

void CompiledTrials::name_kernels() {
    if (!kernels_.empty()) return;
    for (const Trial& trial : trials_) kernels_.push_back(queue_->kernels_of(trial));
    is_compiled_.resize(trials_.size());
}

void CompiledTrials::look_up() {
    name_kernels();
    compilations_ = queue_->compilations();  // before the look-ups, which may find more
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (!is_compiled_[i]) is_compiled_[i] = queue_->has_compiled(kernels_[i]);
    }
}

}  // namespace redtune::search
