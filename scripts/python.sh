# The virtual environment in which the Python package is built and tested; to be sourced after common.sh and packages.sh.
# shellcheck shell=bash

# has_python_headers: true if `python3` can compile extension modules.
has_python_headers() {
    python3 -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))' 2>/dev/null
}

# make_python_environment: fills build/python. The stamp appears last, so that an interrupted installation is repeated. pip
# does not compile the modules, of which the tests load a part, because that takes more time than all else.
make_python_environment() {
    rm -rf build/python &&
        python3 -m venv build/python &&
        build/python/bin/python -m pip install --disable-pip-version-check --no-cache-dir --no-compile --only-binary=:all: \
            --requirement python/requirements.txt &&
        cp python/requirements.txt build/python/stamp.txt
}

# provide_python_environment: makes build/python if it is missing, or made for other requirements. Warns if it cannot: the
# tests of the Python package are then left out.
provide_python_environment() {
    if cmp -s python/requirements.txt build/python/stamp.txt && build/python/bin/python -c 'import nanobind' 2>/dev/null; then
        return
    fi
    if ! has_python_headers || ! python3 -c 'import ensurepip' 2>/dev/null; then
        install_packages "what building the Python package needs" python3-dev python3-venv
    fi
    say "installing what the Python package's tests need into build/python"
    if ! logged build/python.log "the installation" make_python_environment; then
        rm -rf build/python
        say "going on without the tests of the Python package; to have them, let pip reach a package index"
    fi
}
