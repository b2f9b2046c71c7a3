// Sites in device code: instruction addresses and the source lines that they come from.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace emulator {

/// Returns the address of the instruction before a return address, relative to the load address of the program.
std::uint32_t make_site(const void* return_address);

/// Returns "kernels_src/finish.cuh:43" for each site, or "?" if its line is unknown. The first call for a site is slow:
/// it runs addr2line.
std::vector<std::string> source_lines(const std::vector<std::uint32_t>& sites);

std::string source_line(const std::source_location& where);
bool same_line(const std::source_location& a, const std::source_location& b);

}  // namespace emulator
