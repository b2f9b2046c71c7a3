#pragma once

namespace redtune::cli {

/// Opens /dev/null in place of each standard stream that the caller closed, so that writing to the stream fails.
/// Otherwise the next file that is opened, for example a database, would get the descriptor of the stream, and the
/// program would write its output into that file.
void hold_closed_streams();

/// Flushes stdout.
/// @throws Error if any output was lost: the disk is full, or stdout is closed.
void finish_output();

}  // namespace redtune::cli
