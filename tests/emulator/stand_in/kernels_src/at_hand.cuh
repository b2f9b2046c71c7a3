// Stands in for the inline PTX of kernels_src/at_hand.cuh.
#pragma once

namespace redtune {

template <class T>
T* shared_at_hand(T* pointer) {
    return pointer;
}

inline unsigned found_here(unsigned number) {
    return number;
}

template <class T>
const T* found_here(const T* pointer) {
    return pointer;
}

}  // namespace redtune
