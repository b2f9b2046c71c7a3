#pragma once

#include <functional>
#include <memory>

#include "tuner/search/executor.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::search {

/// Makes the executor that a worker measures with. Throws InputError if the code of the families is not task.code.
using MakeExecutor = std::function<std::unique_ptr<Executor>(const WorkerTask&)>;

/// Makes this process end when its parent ends, and ignore the signals that end a sweep: the parent decides when the
/// worker ends. Call it before serve_worker(), from the same thread.
void become_worker();

/// Answers requests until the other end closes the socket, or a request made the device unusable. Then it ends the
/// process with exit code 0, and does not destroy the executor: the system frees a device in half the time.
/// @param descriptor the worker's end of the socket
/// @param at_end is called before the process ends
/// @throws InputError if something else than requests comes
[[noreturn]] void serve_worker(
    int descriptor, const MakeExecutor& make_executor, const std::function<void()>& at_end = [] {});

}  // namespace redtune::search
