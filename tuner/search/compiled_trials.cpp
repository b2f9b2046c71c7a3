#include "tuner/search/compiled_trials.h"

#include <unordered_map>

namespace redtune::search {

bool CompiledTrials::contains(std::size_t i) {
    if (queue_ == nullptr) return false;
    if (queue_->compilations() != compilations_) look_up();
    return !is_compiled_.empty() && is_compiled_[kernels_of_[i]];
}

bool CompiledTrials::will_contain(std::size_t i) {
    if (queue_ == nullptr) return false;
    name_kernels();
    return queue_->has(kernels_[kernels_of_[i]]);
}

void CompiledTrials::name_kernels() {
    if (queue_ == nullptr || !kernels_.empty()) return;
    std::unordered_map<std::string, std::size_t> numbers;
    for (const Trial& trial : trials_) {
        const auto [found, is_new] = numbers.try_emplace(queue_->kernels_of(trial), kernels_.size());
        if (is_new) kernels_.push_back(found->first);
        kernels_of_.push_back(found->second);
    }
    is_compiled_.resize(kernels_.size());
}

void CompiledTrials::look_up() {
    name_kernels();
    compilations_ = queue_->compilations();  // before the look-ups, which may find more
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        if (!is_compiled_[i]) is_compiled_[i] = queue_->has_compiled(kernels_[i]);
    }
}

}  // namespace redtune::search
