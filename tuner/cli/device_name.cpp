#include "tuner/cli/device_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "redtune/error.h"
#include "tuner/cli/device_choice.h"
#include "tuner/core/nearest_name.h"
#include "tuner/gpu/device.h"
#include "tuner/search/replay_executor.h"

namespace redtune::cli {

namespace {

constexpr std::string_view replay_prefix = "replay:";

/// Returns the text in lower case, reduced to its letters and digits.
std::string normalised(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) result += static_cast<char>(std::tolower(byte));
    }
    return result;
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Returns the words of a device's name: "NVIDIA", "H200".
std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words;
    for (auto begin = name.begin(); begin != name.end();) {
        begin = std::find_if(begin, name.end(), is_word);
        const auto end = std::find_if_not(begin, name.end(), is_word);
        if (begin != end) words.emplace_back(begin, end);
        begin = end;
    }
    return words;
}

std::vector<KnownDevice> with_ordinal(std::string_view digits, const std::vector<KnownDevice>& known) {
    std::vector<KnownDevice> found;
    for (const KnownDevice& device : known) {
        if (device.ordinal >= 0 && std::to_string(device.ordinal) == digits) found.push_back(device);
    }
    return found;
}

/// Returns the devices that have `wanted` as a whole name, of which "NVIDIA" may be left out; if there are none, those
/// that have it as a part of a name.
std::vector<KnownDevice> with_name(const std::string& wanted, const std::vector<KnownDevice>& known) {
    std::vector<KnownDevice> whole;
    std::vector<KnownDevice> part;
    for (const KnownDevice& device : known) {
        for (const std::string& name : {normalised(device.name), normalised(device.recording)}) {
            if (name == wanted || name == "nvidia" + wanted) whole.push_back(device);
            if (name.find(wanted) != std::string::npos) part.push_back(device);
        }
    }
    return whole.empty() ? part : whole;
}

}  // namespace

std::vector<KnownDevice> known_devices() {
    std::vector<KnownDevice> known;
    for (const gpu::Device& device : gpu::list_devices()) known.push_back({device.info.name, device.ordinal, {}});
    for (const std::string& recording : search::ReplayExecutor::names()) {
        if (const auto device = recorded_device(recording)) known.push_back({device->name, -1, recording});
    }
    return known;
}

std::optional<KnownDevice> find_device(std::string_view text, const std::vector<KnownDevice>& known) {
    std::vector<KnownDevice> found;
    if (is_number(text)) {
        found = with_ordinal(text, known);
    } else if (text.starts_with(replay_prefix)) {
        std::vector<KnownDevice> recorded;
        std::copy_if(known.begin(), known.end(), std::back_inserter(recorded),
                     [](const KnownDevice& device) { return !device.recording.empty(); });
        const std::string wanted = normalised(text.substr(replay_prefix.size()));
        if (!wanted.empty()) found = with_name(wanted, recorded);
    } else if (const std::string wanted = normalised(text); !wanted.empty()) {
        found = with_name(wanted, known);
    }
    if (found.empty()) return std::nullopt;
    const bool is_unique =
        std::all_of(found.begin(), found.end(), [&](const auto& device) { return device.name == found[0].name; });
    if (is_unique) return found.front();
    throw InputError(fmt::format("'{}' is a part of several devices' names: {}; give more of the name", text,
                                 list_devices_for_people(found)));
}

void refuse_missing_gpu(std::string_view text, const std::vector<KnownDevice>& known) {
    if (!is_number(text)) return;
    throw DeviceError(fmt::format("there is no GPU {} here (see `redtune devices`); --device may be {}", text,
                                  list_devices_for_people(known)));
}

std::string list_devices_for_people(const std::vector<KnownDevice>& known) {
    std::vector<std::string> each;
    for (const KnownDevice& device : known) {
        std::string text;
        if (device.ordinal >= 0) {
            text = fmt::format("{} (\"{}\")", device.ordinal, device.name);
        } else if (!device.recording.empty()) {
            text = fmt::format("{}{} (\"{}\")", replay_prefix, device.recording, device.name);
        } else {
            text = fmt::format("\"{}\"", device.name);
        }
        if (std::find(each.begin(), each.end(), text) == each.end()) each.push_back(text);
    }
    return each.empty() ? "none" : fmt::format("{}", fmt::join(each, ", "));
}

std::string suggest_device(std::string_view text, const std::vector<KnownDevice>& known) {
    if (text.starts_with(replay_prefix)) {
        std::vector<std::string> recordings;
        for (const KnownDevice& device : known) {
            if (!device.recording.empty()) recordings.push_back(std::string(replay_prefix) + device.recording);
        }
        return did_you_mean(text, recordings);
    }
    std::vector<std::string> names;
    for (const KnownDevice& device : known) {
        names.push_back(device.name);
        for (const std::string& word : words_of(device.name)) names.push_back(word);
    }
    return did_you_mean(text, names);
}

}  // namespace redtune::cli
