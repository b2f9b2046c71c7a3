#include "tuner/timing/subject.h"

namespace redtune::timing {

namespace {

Subject subject_of(const launch::LoadedKernel& kernel, const LaunchPlan& plan) {
    Subject subject;
    subject.plan = plan;
    subject.overwrites_input = kernel.destructive;
    subject.resources = kernel.resources;
    subject.enqueue = [kernel, plan](std::uint32_t call, const CallBuffers& buffers, CUstream stream) {
        // The first call must not begin before the event that starts the measured time.
        launch::enqueue(kernel, call == 0 ? launch::without_leading_pdl(plan) : plan, buffers.input, buffers.output,
                        buffers.workspace, stream);
    };
    return subject;
}

}  // namespace

Subject kernel_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n) {
    return subject_of(kernel, make_plan(kernel.rule, extents_of(problem, n)));
}

Subject first_launch_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n) {
    LaunchPlan plan = make_plan(kernel.rule, extents_of(problem, n));
    plan.count = 1;
    Subject subject = subject_of(kernel, plan);
    subject.is_judged = false;
    return subject;
}

}  // namespace redtune::timing
