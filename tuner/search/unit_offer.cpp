#include "tuner/search/unit_offer.h"

#include <cstdint>
#include <utility>

#include "tuner/core/json_object.h"

namespace redtune::search {

namespace {

Json to_object(const DeviceInfo& device) {
    return {{"name", text_to_json(device.name)},
            {"compute_major", static_cast<std::uint32_t>(device.compute_major)},
            {"compute_minor", static_cast<std::uint32_t>(device.compute_minor)},
            {"sm_count", device.sm_count},
            {"memory_bytes", device.memory_bytes},
            {"l2_bytes", device.l2_bytes},
            {"mig_profile", text_to_json(device.mig_profile)},
            {"max_threads_per_sm", device.max_threads_per_sm},
            {"max_shared_bytes_per_block", device.max_shared_bytes_per_block},
            {"max_registers_per_block", device.max_registers_per_block},
            {"uuid", text_to_json(device.uuid)},
            {"peak_gb_per_s", number_to_json(device.peak_gb_per_s)}};
}

DeviceInfo device_from(JsonObject object) {
    DeviceInfo device;
    device.name = object.text("name");
    device.compute_major = object.whole_number<std::uint16_t>("compute_major");
    device.compute_minor = object.whole_number<std::uint16_t>("compute_minor");
    device.sm_count = object.whole_number<std::uint32_t>("sm_count");
    device.memory_bytes = object.whole_number<std::uint64_t>("memory_bytes");
    device.l2_bytes = object.whole_number<std::uint64_t>("l2_bytes");
    device.mig_profile = object.text("mig_profile");
    device.max_threads_per_sm = object.whole_number<std::uint32_t>("max_threads_per_sm");
    device.max_shared_bytes_per_block = object.whole_number<std::uint32_t>("max_shared_bytes_per_block");
    device.max_registers_per_block = object.whole_number<std::uint32_t>("max_registers_per_block");
    device.uuid = object.text("uuid");
    device.peak_gb_per_s = object.number("peak_gb_per_s");
    object.check_all_read();
    return device;
}

}  // namespace

std::string to_message(const UnitOffer& offer) {
    return Json{{"offer", "unit"},
                {"token", text_to_json(offer.token)},
                {"rank", offer.rank},
                {"units", offer.units},
                {"label", text_to_json(offer.label)},
                {"gpu", offer.ordinal >= 0},
                {"ordinal", static_cast<std::uint32_t>(offer.ordinal >= 0 ? offer.ordinal : 0)},
                {"recording", text_to_json(offer.recording)},
                {"device", to_object(offer.device)},
                {"redtune", text_to_json(offer.toolchain.redtune_version)},
                {"nvrtc", text_to_json(offer.toolchain.nvrtc_version)},
                {"driver", text_to_json(offer.toolchain.driver_version)}}
        .dump();
}

UnitOffer offer_from_message(std::string_view message) {
    JsonObject object(message, "an offer");
    if (object.text("offer") != "unit") object.fail("it offers no unit");
    UnitOffer offer;
    offer.token = object.text("token");
    offer.rank = object.whole_number<std::size_t>("rank");
    offer.units = object.whole_number<std::size_t>("units");
    offer.label = object.text("label");
    const bool is_gpu = object.boolean("gpu");
    const auto ordinal = static_cast<int>(object.whole_number<std::uint16_t>("ordinal"));
    offer.ordinal = is_gpu ? ordinal : -1;
    offer.recording = object.text("recording");
    offer.device = device_from({object.member("device"), "a device"});
    offer.toolchain = {object.text("redtune"), object.text("nvrtc"), object.text("driver")};
    object.check_all_read();
    return offer;
}

}  // namespace redtune::search
