#include "tuner/search/rank_address.h"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "redtune/error.h"
#include "tuner/core/json_object.h"
#include "tuner/jit/cache_file.h"

namespace redtune::search {

std::filesystem::path rank_address_file(const std::filesystem::path& database) {
    return database.string() + ".ranks";
}

void write_rank_address(const std::filesystem::path& file, const RankAddress& address) {
    Json addresses = Json::array();
    for (const std::string& each : address.addresses) addresses.push_back(each);
    const Json object = {{"job", text_to_json(address.job)},
                         {"host", text_to_json(address.host)},
                         {"addresses", std::move(addresses)},
                         {"port", address.port},
                         {"token", address.token}};
    std::error_code ignored;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
    const std::string failure = jit::write_atomically(file, object.dump() + "\n");
    if (failure.empty()) return;
    throw Error(
        fmt::format("the other ranks cannot be told where rank 0 is: {}; give a --db in a folder that this user "
                    "may write and all machines share",
                    failure));
}

std::optional<RankAddress> read_rank_address(const std::filesystem::path& file, const std::string& job) {
    const auto text = jit::read_trusted(file).bytes;
    if (!text) return std::nullopt;
    try {
        JsonObject object(std::string_view(*text), "the address of rank 0");
        RankAddress address;
        address.job = object.text("job");
        address.host = object.text("host");
        for (const Json& each : object.member("addresses")) address.addresses.push_back(each.get<std::string>());
        address.port = object.whole_number<std::uint16_t>("port");
        address.token = object.text("token");
        if (address.job != job) return std::nullopt;
        return address;
    } catch (const std::exception&) {
        return std::nullopt;  // another program's file: the caller says what it waits for
    }
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::vector<std::string> host_addresses() {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return {};
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
    std::vector<std::string> addresses;
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        const bool is_usable = (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0;
        if (!is_usable || each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
        std::array<char, NI_MAXHOST> text{};
        if (getnameinfo(each->ifa_addr, sizeof(sockaddr_in), text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0)
            addresses.emplace_back(text.data());
    }
    return addresses;
}

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw Error(fmt::format("the system has no random numbers: {}", std::strerror(errno)));
    }
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

}  // namespace redtune::search
