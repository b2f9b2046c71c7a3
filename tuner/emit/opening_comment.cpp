#include "tuner/emit/opening_comment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redtune/size.h"
#include "redtune/version.h"
#include "tuner/emit/fill_in.h"

namespace redtune::emit {

namespace {

std::string problem_in_words(const Problem& problem) {
    std::string text = fmt::format("Reduction: {} of {}, accumulated in {}, result {}", problem.op,
                                   to_string(problem.input), to_string(problem.accumulator), to_string(problem.output));
    if (problem.arrays == 2) text += ", of two arrays";
    if (problem.row_length != 0) text += fmt::format(", one result for every row of {} elements", problem.row_length);
    if (problem.columns != 0) text += fmt::format(", one result for every one of {} columns", problem.columns);
    if (problem.determinism == Determinism::run_to_run) text += "; two calls on the same input give the same bits";
    return text;
}

std::vector<std::string> provenance_lines(const Emission& emission) {
    const Provenance& from = emission.provenance;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Device:    {} (compute capability {}, {} SMs), regime {}", emission.device.name,
                                emission.device.compute_capability(), emission.device.sm_count,
                                to_string(emission.request.regime)));
    if (!from.first_measured_at.empty()) {
        lines.push_back(fmt::format("Measured:  {} to {}", from.first_measured_at, from.last_measured_at));
    }
    for (const std::string& toolchain : from.toolchains) lines.push_back("With:      " + toolchain);
    for (const std::string& source : from.sources) {
        if (source != "gpu") lines.push_back("Source:    " + source);
    }
    for (const auto& [family, hash] : emission.code_hashes) {
        const auto measured = from.measured_code.find(family);
        const bool is_same =
            measured == from.measured_code.end() || (measured->second.size() == 1 && measured->second.contains(hash));
        lines.push_back(
            fmt::format("Code:      {} {}{}", family, hash,
                        is_same ? "" : fmt::format(" (measured with {})", fmt::join(measured->second, ", "))));
    }
    lines.push_back(fmt::format("Emitted:   by redtune {}: {}", REDTUNE_VERSION, emission.request.command));
    return lines;
}

/// Returns the text with every "*/" broken up, so that it does not end a comment.
std::string within_comment(const std::string& line) {
    return replace_all(line, "*/", "* /");
}

}  // namespace

std::string opening_comment(const Emission& emission, const std::vector<std::string>& calling) {
    const Request& request = emission.request;
    std::vector<std::string> lines = {
        problem_in_words(request.problem) + ".",
        fmt::format("The kernels that redtune found to be the fastest for n = {} to {} elements on {}.",
                    format_size(request.least), format_size(request.most), emission.device.name),
        "Generated: change the command below instead of this file.",
        "",
        "SPDX-License-Identifier: Apache-2.0",
        "The device code is a part of redtune and has its license: http://www.apache.org/licenses/LICENSE-2.0",
        ""};
    for (const std::string& line : provenance_lines(emission)) lines.push_back(line);
    lines.insert(lines.end(), {"", "Calling it:", ""});
    for (const std::string& line : calling) lines.push_back(line.empty() ? "" : "    " + line);
    lines.insert(
        lines.end(),
        {"",
         fmt::format("n is the number of elements{}.",
                     shape_of(request.problem).kind() == ShapeKind::whole ? "" : " of all rows"),
         "An n outside of the sizes above uses the nearest configuration that is valid for it.",
         "Inputs need no more alignment than that of one element.",
         emission.destructive ? "A call overwrites its input." : "A call does not change its input.", "",
         "Workspace:", "- Its first zeroed_bytes must be zero before the first call. Every call leaves them zero.",
         "- One workspace serves any number of calls in one stream, of any n for which it is large enough.",
         "- Calls that may run at the same time, as in two streams, need two workspaces.",
         "- After a call that was aborted or returned an error of a launch, it must be zeroed again."});
    std::string text = "/*\n";
    for (const std::string& line : lines) text += line.empty() ? " *\n" : " * " + within_comment(line) + "\n";
    return text + " */\n";
}

}  // namespace redtune::emit
