#include "compare/accuracy.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/exact_terms.h"
#include "compare/finish_representatives.h"
#include "compare/sum_error.h"
#include "redtune/error.h"
#include "tuner/core/size_list.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/round_up.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/workspace.h"

namespace redtune::compare {

namespace {

// Elements of an array that are copied to the host at a time.
constexpr std::uint64_t copied_elements = std::uint64_t{1} << 24;

/// Returns the exact sums over the terms of an input in device memory.
ExactTerms exact_terms_on_host(const Problem& problem, const launch::InputArrays& input, std::uint64_t n) {
    const std::uint64_t element = size_of(problem.input);
    std::vector<unsigned char> first(std::min(n, copied_elements) * element);
    std::vector<unsigned char> second(problem.arrays == 2 ? first.size() : 0);
    ExactTerms total;
    for (std::uint64_t begin = 0; begin < n; begin += copied_elements) {
        const std::uint64_t count = std::min(copied_elements, n - begin);
        gpu::copy_to_host(first.data(), input.first + begin * element, count * element);
        if (problem.arrays == 2) gpu::copy_to_host(second.data(), input.second + begin * element, count * element);
        total.add(exact_terms(problem, first.data(), second.data(), count));
    }
    return total;
}

/// Runs methods on the data of one problem.
class AccuracyBench {
  public:
    AccuracyBench(jit::Compiler& compiler, const Problem& problem, std::uint64_t largest_n, Session& session)
        : problem_(problem),
          stream_(session.stream()),
          kernels_(compiler, problem, session.device().sm_count),
          inputs_(kernels_, problem, largest_n, session.stream()),
          output_(timing::output_guard_bytes) {}

    /// Fills the input with n elements of the data, and computes the exact sums of its terms on the host.
    void prepare_input(const timing::Data& data, std::uint64_t n) {
        const timing::TimingPlan plan{1, 1,
                                      timing::round_up(timing::input_span_bytes(problem_, n), timing::input_alignment)};
        const timing::Cell cell{n};
        inputs_.use(data);
        inputs_.prepare_timed(plan, cell);
        stream_.synchronize();
        input_ = inputs_.timed(plan, cell, 0);
        terms_ = exact_terms_on_host(problem_, input_, n);
    }

    /// Calls the method once and returns the error of its result.
    double error_of(const AccuracyMethod& method) {
        workspace_.prepare(method.subject.plan, stream_.handle());
        output_.fill(timing::poison_byte, stream_.handle());
        method.subject.enqueue(0, {input_, output_.address(), workspace_.address()}, stream_.handle());
        stream_.synchronize();
        double result = 0;
        output_.copy_to_host(&result, sizeof(result));
        return sum_error(problem_, terms_, float_element(method.output, &result, 0));
    }

  private:
    Problem problem_;
    gpu::Stream& stream_;
    timing::SupportKernels kernels_;
    timing::Inputs inputs_;
    timing::Workspace workspace_;
    gpu::DeviceBuffer output_;
    launch::InputArrays input_;
    ExactTerms terms_;
};

/// Returns a method for each representative, with its kernels loaded. If kernels do not compile, leaves the method out
/// and adds a message to `failures`.
std::vector<AccuracyMethod> load_methods(const std::vector<FinishRepresentative>& representatives,
                                         launch::KernelLoader& loader, const Problem& problem, std::uint64_t n,
                                         std::vector<std::string>& failures) {
    std::vector<AccuracyMethod> methods;
    for (const auto& [finish, trial] : representatives) {
        try {
            methods.push_back({std::string(to_string(finish)), trial.configuration.family, problem.output,
                               timing::kernel_subject(loader.load(trial.configuration, trial.rule), problem, n)});
        } catch (const CompileError& error) {
            failures.push_back(fmt::format("{} of {}, n = {}: {}", problem.op, to_string(problem.input), format_size(n),
                                           error.what()));
        }
    }
    return methods;
}

}  // namespace

AccuracyOutcome measure_accuracy(const AccuracyRequest& request, jit::Compiler& compiler,
                                 const std::vector<Family>& families, Session& session,
                                 const LibraryMethods& library_methods, const std::atomic<bool>& stop) {
    const Problem& problem = request.problem;
    std::vector<std::vector<FinishRepresentative>> representatives;
    for (const std::uint64_t n : request.sizes) {
        representatives.push_back(finish_representatives(families, session.device(), problem, n));
    }
    launch::KernelLoader loader(compiler, families, problem);
    std::vector<launch::KernelRequest> kernels;
    for (const auto& of_size : representatives) {
        for (const auto& [finish, trial] : of_size) kernels.emplace_back(trial.configuration, trial.rule);
    }
    loader.prepare(kernels, {}, &stop);

    AccuracyOutcome outcome;
    if (stop) return outcome;
    AccuracyBench bench(compiler, problem, *std::max_element(request.sizes.begin(), request.sizes.end()), session);
    for (std::size_t i = 0; i < request.sizes.size(); ++i) {
        const std::uint64_t n = request.sizes[i];
        std::vector<AccuracyMethod> methods = load_methods(representatives[i], loader, problem, n, outcome.failures);
        for (AccuracyMethod& method : library_methods(problem, n)) methods.push_back(std::move(method));
        for (const timing::Data& data : request.data) {
            if (stop) return outcome;
            bench.prepare_input(data, n);
            for (const AccuracyMethod& method : methods) {
                outcome.rows.push_back({problem.op, std::string(to_string(problem.input)), n, data.name, method.name,
                                        method.family, bench.error_of(method)});
            }
        }
    }
    return outcome;
}

}  // namespace redtune::compare
