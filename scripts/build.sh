# Functions that configure and build a preset; to be sourced after common.sh and cuda.sh.
# shellcheck shell=bash

# build_preset PRESET TARGET [CMAKE-OPTION...]: makes TARGET in build/PRESET; the log is build/PRESET.log.
build_preset() {
    local preset=$1 target=$2 home
    shift 2
    # CMake refuses a build folder whose project was moved or copied.
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null || true)
    if [[ -n $home && $home != "$PWD" ]]; then
        rm -rf "build/$preset"
    fi
    logged "build/$preset.log" "the build" configure_and_build "$preset" "$target" "$@"
}

configure_and_build() {
    local preset=$1 target=$2
    shift 2
    # -U: paths that an earlier configuration found may be gone by now.
    cmake --preset "$preset" -U 'REDTUNE_*_INCLUDE' -D REDTUNE_CUDA_INCLUDE="$(cuda_include)" "$@" &&
        cmake --build "build/$preset" --target "$target" --parallel "$(nproc)"
}
