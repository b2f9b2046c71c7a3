#pragma once

struct __half {
    unsigned short bits;
};
