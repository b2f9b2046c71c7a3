#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redtune::search {

/// Where rank 0 waits for the other ranks, which read it from a file in the folder of the database.
struct RankAddress {
    std::string job;                     ///< Ranks::job; tells this start from an earlier one that left its file
    std::string host;                    ///< name of rank 0's machine
    std::vector<std::string> addresses;  ///< of rank 0's machine, IPv4
    std::uint16_t port = 0;
    std::string token;  ///< the secret by which rank 0 knows its ranks
};

/// Returns the file for a database: its name with ".ranks" at the end.
std::filesystem::path rank_address_file(const std::filesystem::path& database);

/// Writes the file so that only this user can read it. @throws Error with the reason and what to do
void write_rank_address(const std::filesystem::path& file, const RankAddress& address);

/// Returns the address in the file; nullopt if there is none that this user has written for this job.
std::optional<RankAddress> read_rank_address(const std::filesystem::path& file, const std::string& job);

/// Returns the name of this machine.
std::string host_name();
/// Returns the IPv4 addresses of this machine, without those that only itself can reach.
std::vector<std::string> host_addresses();
/// Returns 32 random hexadecimal digits.
std::string random_token();

}  // namespace redtune::search
