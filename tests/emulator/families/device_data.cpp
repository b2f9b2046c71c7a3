#include "families/device_data.h"

#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/compare_results.cuh"
#include "kernels_src/data_kinds.cuh"

namespace redtune::emulated {

namespace {

template <class T>
std::uint64_t bits_of(const T& value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T, Terms terms>
std::uint64_t make(int kind, const ElementPlace& place, std::uint64_t seed) {
    return bits_of(make_data<T, terms>(static_cast<DataKind>(kind),
                                       Place{place.index, place.position, place.count, place.is_second}, seed));
}

template <class T>
bool judge(std::uint64_t got, double expected, const double (&bound)[5], double magnitudes, double squares) {
    T result;
    std::memcpy(&result, &got, sizeof(T));
    return is_right(result, expected, ErrorBound{bound[0], bound[1], bound[2], bound[3], bound[4]},
                    TermSums{magnitudes, squares});
}

}  // namespace

const std::map<std::string, MakeElement>& element_makers() {
#define REDTUNE_MAKER(T, terms) \
    { "redtune::fill_data<" #T ", redtune::Terms::" #terms ">", make<T, Terms::terms> }
#define REDTUNE_MAKERS(T) REDTUNE_MAKER(T, values), REDTUNE_MAKER(T, products), REDTUNE_MAKER(T, factors)
    static const std::map<std::string, MakeElement> makers = {
        REDTUNE_MAKERS(float),         REDTUNE_MAKERS(double),
        REDTUNE_MAKERS(redtune::Half), REDTUNE_MAKERS(redtune::BFloat16),
        REDTUNE_MAKERS(redtune::i8),   REDTUNE_MAKERS(redtune::i16),
        REDTUNE_MAKERS(redtune::i32),  REDTUNE_MAKERS(redtune::i64),
        REDTUNE_MAKERS(redtune::u8),   REDTUNE_MAKERS(redtune::u16),
        REDTUNE_MAKERS(redtune::u32),  REDTUNE_MAKERS(redtune::u64)};
    return makers;
}

bool is_right_on_device(const std::string& output_type, std::uint64_t got, double expected, const double (&bound)[5],
                        double magnitudes, double squares) {
    if (output_type == "redtune::Half") return judge<Half>(got, expected, bound, magnitudes, squares);
    if (output_type == "redtune::BFloat16") return judge<BFloat16>(got, expected, bound, magnitudes, squares);
    if (output_type == "float") return judge<float>(got, expected, bound, magnitudes, squares);
    return judge<double>(got, expected, bound, magnitudes, squares);
}

}  // namespace redtune::emulated
