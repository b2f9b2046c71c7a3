#pragma once

namespace redtune::cli {

/// Opens /dev/null on the descriptor of each standard stream that the caller closed. Otherwise the next file that is
/// opened, for example a database, would get that descriptor, and the program would write its output into the file. The
/// descriptor is opened in the wrong direction (stdout for reading), so that using the closed stream fails.
void occupy_closed_streams();

/// Flushes stdout.
/// @throws Error if any output was lost: the disk is full, or stdout is closed.
void finish_output();

}  // namespace redtune::cli
