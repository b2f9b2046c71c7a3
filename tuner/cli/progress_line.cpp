#include "tuner/cli/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

constexpr std::chrono::milliseconds between_renewals(100);

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string describe_compile(const search::PrepareProgress& compile) {
    return fmt::format("compiled {}/{} kernels ({} from the cache, {} failed)", compile.done, compile.total,
                       compile.from_cache, compile.failed);
}

/// A line is short: what did not happen is not said.
std::string describe_counts(const search::SweepProgress& progress) {
    std::string text = fmt::format("[{}/{}, {} failed", progress.done, progress.total, progress.failed);
    if (progress.stopped_early != 0) text += fmt::format(", {} stopped early", progress.stopped_early);
    if (progress.pruned != 0) text += fmt::format(", {} ruled out", progress.pruned);
    return text + fmt::format(", {} left]", format_duration(progress.remaining_s));
}

std::string describe_cell(const search::SweepProgress& progress) {
    return fmt::format("n = {:<6} {}  {:.2f} us  {}", format_size(progress.cell->n), to_string(progress.cell->regime),
                       progress.best_us, progress.best);
}

}  // namespace

std::string format_duration(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{}s", whole);
    return fmt::format("{}m {:02}s", whole / 60, whole % 60);
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    if (has_line_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const search::SweepProgress& progress) {
    using Phase = search::SweepProgress::Phase;
    const std::string counts = describe_counts(progress);
    switch (progress.phase) {
        case Phase::compile: {
            const bool all = progress.compile.done == progress.compile.total;
            if (all && !said_compiled_ && progress.compile.total != 0) {
                keep(describe_compile(progress.compile));
                said_compiled_ = true;
            } else if (!all) {
                renew(describe_compile(progress.compile));
            }
            break;
        }
        case Phase::measure:
            renew(counts + " " + describe_cell(progress));
            break;
        case Phase::cell_done:
            keep(progress.best.empty() ? fmt::format("n = {:<6} {}  no candidate passed", format_size(progress.cell->n),
                                                     to_string(progress.cell->regime))
                                       : describe_cell(progress) + "  " + counts);
            break;
    }
}

void ProgressLine::renew(const std::string& line) {
    const auto now = Clock::now();
    if (!is_terminal_ || now - last_ < between_renewals) return;
    last_ = now;
    fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width() - 1));
    has_line_ = true;
}

void ProgressLine::keep(const std::string& line) {
    fmt::print(stderr, "{}{}\n", has_line_ ? "\r\033[K" : "", line);
    has_line_ = false;
}

}  // namespace redtune::cli
