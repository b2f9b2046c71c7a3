#pragma once

/// Marks the classes and functions that the shared library exports; all other names of redtune are hidden. C programs
/// may include this header too.
#if defined(__GNUC__)
#define REDTUNE_EXPORT __attribute__((visibility("default")))
#else
#define REDTUNE_EXPORT
#endif
