# Functions that find NVIDIA's headers (cuda.h, nvrtc.h and nvml.h, needed to build) and NVRTC (needed to compile kernels
# at run time) in an installed toolkit, or else unpack those of NVIDIA's Python wheels into build/cuda. To be sourced after
# common.sh; provide_cuda needs packages.sh too.
# shellcheck shell=bash

# toolkits: prints the folders where a toolkit may be, the preferred first.
toolkits() {
    local nvcc
    nvcc=$(command -v nvcc || true)
    printf '%s\n' ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} /usr/local/cuda \
        ${nvcc:+"$(dirname "$(dirname "$(readlink -f "$nvcc")")")"} /usr
}

# nvcc_program: prints the path of nvcc ($CUDACXX, one on $PATH, one of a toolkit), or nothing.
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

# has_headers FOLDER: true if FOLDER has all three headers, of CUDA 12 or later.
has_headers() {
    [[ -r $1/cuda.h && -r $1/nvrtc.h && -r $1/nvml.h ]] && grep -qE '^#define CUDA_VERSION 1[2-9]' "$1/cuda.h"
}

# cuda_include: prints the folder with the headers, or nothing.
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

# nvrtc_versions: prints the major version of each NVRTC that the program can find, one a line.
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

# driver_cuda_major: prints the major version of CUDA that the driver supports, or 0 without a driver.
driver_cuda_major() {
    python3 - 2>/dev/null <<'END' || echo 0
import ctypes
version = ctypes.c_int()
ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
print(version.value // 1000)
END
}

# unpack_wheels WHEELS INTO: copies the headers and the libraries of the wheels in the folder WHEELS to INTO/include and
# INTO/lib. Their folder inside a wheel depends on its version.
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

# download_cuda WHEEL...: fills build/cuda. The folder appears in one step, so that an interrupted download leaves none.
download_cuda() {
    rm -rf build/cuda.part build/wheels
    python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --only-binary=:all: \
        --dest build/wheels "$@" || return 1
    unpack_wheels build/wheels build/cuda.part || return 1
    rm -rf build/wheels build/cuda
    mv build/cuda.part build/cuda
}

# provide_cuda: downloads the headers and an NVRTC that suits the driver, if they are missing. Fails without headers; warns
# without NVRTC.
provide_cuda() {
    local headers driver usable why
    headers=$(cuda_include)
    driver=$(driver_cuda_major)
    # Cubins run on a driver of the same or a later major version.
    usable=$(nvrtc_versions | awk -v driver="$driver" 'driver == 0 || $1 <= driver')
    if [[ -n $headers && -n $usable ]]; then
        return
    fi
    if [[ $headers == "$PWD/build/cuda/include" ]]; then
        headers=  # download_cuda replaces the whole folder
    fi
    install_packages "Python's pip, to take NVIDIA's wheels with" python3:python3 \
        "$(python3 -m pip --version >/dev/null 2>&1 && echo python3:python3 || echo python3-pip)" ca-certificates
    # driver_cuda_major needs Python, which may have been installed only now.
    driver=$(driver_cuda_major)
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
