// Places in device code: addresses of instructions, and the lines that they come from.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace emulator {

/// The instruction before a return address, relative to where the program was loaded.
std::uint32_t make_site(const void* return_address);

/// "kernels_src/finish.cuh:43" for each site; "?" where it is not known. Slow for a site that is new.
std::vector<std::string> source_lines(const std::vector<std::uint32_t>& sites);

std::string source_line(const std::source_location& where);
bool same_line(const std::source_location& a, const std::source_location& b);

}  // namespace emulator
