# NVIDIA's headers (cuda.h, nvrtc.h, nvml.h: needed to build) and NVRTC (needed to compile kernels at run time):
# those of a toolkit that is here, else those of NVIDIA's Python wheels, unpacked into build/cuda. To be sourced
# after common.sh and packages.sh.
# shellcheck shell=bash

# The folders a toolkit may be in, best first.
toolkits() {
    local nvcc
    nvcc=$(command -v nvcc || true)
    printf '%s\n' ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} /usr/local/cuda \
        ${nvcc:+"$(dirname "$(dirname "$(readlink -f "$nvcc")")")"} /usr
}

# Prints the compiler: $CUDACXX, that of $PATH or of a toolkit; or nothing.
nvcc_program() {
    local toolkit
    if [[ -n ${CUDACXX:-} ]]; then
        echo "$CUDACXX"
        return
    fi
    command -v nvcc && return
    while read -r toolkit; do
        if [[ -x $toolkit/bin/nvcc ]]; then
            echo "$toolkit/bin/nvcc"
            return
        fi
    done < <(toolkits)
}

# has_headers FOLDER: all three headers, of CUDA 12 or later.
has_headers() {
    [[ -r $1/cuda.h && -r $1/nvrtc.h && -r $1/nvml.h ]] && grep -qE '^#define CUDA_VERSION 1[2-9]' "$1/cuda.h"
}

# Prints the folder with the headers, or nothing.
cuda_include() {
    local toolkit folder
    if has_headers build/cuda/include; then
        echo "$PWD/build/cuda/include"
        return
    fi
    while read -r toolkit; do
        for folder in "$toolkit/include" "$toolkit"/targets/*/include; do
            if has_headers "$folder"; then
                echo "$folder"
                return
            fi
        done
    done < <(toolkits)
}

# Prints the major version of every NVRTC that the program can find, one a line.
nvrtc_versions() {
    local toolkit
    {
        ls build/cuda/lib ${REDTUNE_CUDA_LIB:+"$REDTUNE_CUDA_LIB"} 2>/dev/null || true
        while read -r toolkit; do
            ls "$toolkit/lib64" 2>/dev/null || true
        done < <(toolkits)
        ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true
    } | sed -nE 's/.*libnvrtc\.so\.(1[2-9])\b.*/\1/p' | sort -u
}

# Prints the major version of the CUDA that the driver supports, or 0 where there is none.
driver_version() {
    python3 - 2>/dev/null <<'END' || echo 0
import ctypes
version = ctypes.c_int()
ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
print(version.value // 1000)
END
}

# unpack_wheels WHEELS INTO: the headers and the libraries that are used at run time, whatever their folder in the wheel.
unpack_wheels() {
    python3 - "$1" "$2" <<'END'
import pathlib, re, shutil, sys, zipfile
for wheel in pathlib.Path(sys.argv[1]).glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            found = re.fullmatch(r"nvidia/\w+/((?:include/.*|lib/libnvrtc(?:-builtins)?\.so\.[\d.]+))", name)
            if found and not name.endswith("/"):
                target = pathlib.Path(sys.argv[2], found[1])
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, open(target, "wb") as copy:
                    shutil.copyfileobj(source, copy)
END
}

# download_cuda WHEEL...: fills build/cuda, in one step so that a start that is cut off leaves nothing half done.
download_cuda() {
    rm -rf build/cuda.part build/wheels
    python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --only-binary=:all: \
        --dest build/wheels "$@" || return 1
    unpack_wheels build/wheels build/cuda.part || return 1
    rm -rf build/wheels build/cuda
    mv build/cuda.part build/cuda
}

# Makes sure that the headers are there, and tries to have an NVRTC that the driver (if any) can work with.
provide_cuda() {
    local headers driver usable why
    headers=$(cuda_include)
    driver=$(driver_version)
    # Cubins run on a driver of the same or a later major version.
    usable=$(nvrtc_versions | awk -v driver="$driver" 'driver == 0 || $1 <= driver')
    if [[ -n $headers && -n $usable ]]; then
        return
    fi
    if [[ $headers == "$PWD/build/cuda/include" ]]; then
        headers=  # The folder is replaced as a whole.
    fi
    install_packages "Python's pip, to take NVIDIA's wheels with" python3:python3 \
        "$(python3 -m pip --version >/dev/null 2>&1 && echo python3:python3 || echo python3-pip)" ca-certificates
    # Asked again: there may have been no Python to ask with.
    driver=$(driver_version)
    local -a wheels=('nvidia-cuda-nvrtc==13.0.*' 'nvidia-cuda-runtime==13.0.*' 'nvidia-nvml-dev==13.0.*')
    if [[ $driver == 12 ]]; then
        wheels=('nvidia-cuda-nvrtc-cu12==12.*' 'nvidia-cuda-runtime-cu12==12.*' 'nvidia-nvml-dev-cu12==12.*')
    fi
    why="the CUDA headers and NVRTC"
    if [[ -n $headers ]]; then
        wheels=("${wheels[0]}")
        why="an NVRTC that suits the driver"
    fi
    say "downloading $why into build/cuda (NVIDIA's Python wheels, about 90 MB)"
    if ! logged build/cuda.log "the download" download_cuda "${wheels[@]}"; then
        local remedy="install the CUDA toolkit (12 or later) and set CUDA_HOME, or let pip reach a package index"
        [[ -n $headers ]] || fail "cuda.h, nvrtc.h and nvml.h are needed to build; $remedy"
        say "going on without NVRTC: no kernel can be compiled, look-ups work; to change that, $remedy"
    fi
}
