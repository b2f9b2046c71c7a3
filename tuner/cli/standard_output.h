#pragma once

namespace redtune::cli {

/// Opens /dev/null, unwritable, in the place of each standard stream that the caller closed. Otherwise the next file
/// that is opened, a database for example, would get the stream's descriptor, and the output would be written into it.
void hold_closed_streams();

/// Flushes stdout.
/// @throws Error if anything that the program wrote to stdout was lost: the disk is full, or stdout is closed.
void finish_output();

}  // namespace redtune::cli
