// Fuzzes the messages between a sweep and its worker process, and the first message of another rank.
#include "tests/fuzz/only_errors.h"
#include "tuner/search/unit_offer.h"
#include "tuner/search/worker_protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    const std::string_view message = fuzz::text_of(data, size);
    fuzz::only_errors([&] {
        const search::WorkerRequest request = search::request_from_message(message);
        fuzz::expect(search::to_message(search::request_from_message(search::to_message(request))) ==
                     search::to_message(request));
    });
    fuzz::only_errors([&] {
        const search::WorkerReply reply = search::reply_from_message(message);
        fuzz::expect(search::to_message(search::reply_from_message(search::to_message(reply))) ==
                     search::to_message(reply));
    });
    fuzz::only_errors([&] {
        const search::UnitOffer offer = search::offer_from_message(message);
        fuzz::expect(search::to_message(search::offer_from_message(search::to_message(offer))) ==
                     search::to_message(offer));
    });
    return 0;
}
