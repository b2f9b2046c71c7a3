#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compare/session.h"
#include "tuner/jit/compiler.h"
#include "tuner/report/accuracy_row.h"
#include "tuner/timing/data.h"
#include "tuner/timing/subject.h"

namespace redtune::compare {

/// A problem, which exact_terms() must support, with the sizes and the data for which errors are measured.
struct AccuracyRequest {
    Problem problem;
    std::vector<std::uint64_t> sizes;  ///< elements
    std::vector<timing::Data> data;
};

/// A way to compute a result.
struct AccuracyMethod {
    std::string name;
    std::string family;
    Type output = Type::f32;  ///< type of the result
    timing::Subject subject;
};

/// Returns the methods of a library for a problem and n.
using LibraryMethods = std::function<std::vector<AccuracyMethod>(const Problem& problem, std::uint64_t n)>;

/// The errors of one problem.
struct AccuracyOutcome {
    std::vector<report::AccuracyRow> rows;  ///< by size, then by data, then by method
    std::vector<std::string> failures;      ///< kernels that do not compile, and why
};

/// Measures the errors of the finishes, one candidate each (finish_representatives()), and of a library's methods.
/// Every result is that of one call, on the same input as all others of that size and data. Compiles the kernels first,
/// on all cores. When `stop` becomes true, the outcome has the rows so far.
AccuracyOutcome measure_accuracy(const AccuracyRequest& request, jit::Compiler& compiler,
                                 const std::vector<Family>& families, Session& session,
                                 const LibraryMethods& library_methods, const std::atomic<bool>& stop);

}  // namespace redtune::compare
