#include "tuner/cli/standard_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "redtune/error.h"

namespace redtune::cli {

void occupy_closed_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        // open() returns the lowest free descriptor. That is this one, because the loop has already filled the lower
        // ones. The mode is the opposite of the stream's use, so that using the stream fails.
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void finish_output() {
    errno = 0;
    std::cout.flush();
    const bool is_flushed = std::fflush(stdout) == 0;
    const int why = errno;
    if (is_flushed && std::ferror(stdout) == 0 && std::cout) return;
    throw Error(fmt::format("the output could not be written to stdout{}{}; give it a file or a disk that has room",
                            why == 0 ? "" : ": ", why == 0 ? "" : std::strerror(why)));
}

}  // namespace redtune::cli
