# The script with which the pages of `redtune report` draw their charts: Vega, Vega-Lite and vega-embed, as the Python
# package vl-convert-python bundles them. To be sourced after common.sh and packages.sh.
# shellcheck shell=bash

vega_package=vl-convert-python==1.9.0.post1

# make_vega_script: writes build/vega/vega.js. The folder appears in one step, so that an interrupted download leaves none.
make_vega_script() {
    rm -rf build/vega.part build/vega
    mkdir -p build/vega.part/package
    python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --only-binary=:all: \
        --dest build/vega.part "$vega_package" || return 1
    python3 -m zipfile --extract build/vega.part/*.whl build/vega.part/package || return 1
    PYTHONPATH=build/vega.part/package python3 -c 'import pathlib, vl_convert
pathlib.Path("build/vega.part/vega.js").write_text(vl_convert.javascript_bundle(), encoding="utf-8")' || return 1
    echo "$vega_package" >build/vega.part/package.txt
    rm -rf build/vega.part/package build/vega.part/*.whl
    mv build/vega.part build/vega
}

# provide_vega: downloads the script if it is missing, or made from another version. Warns if it cannot: only `redtune
# report` needs it.
provide_vega() {
    if [[ -s build/vega/vega.js && $(cat build/vega/package.txt 2>/dev/null) == "$vega_package" ]]; then
        return
    fi
    install_packages "Python's pip, to take the charts of \`redtune report\` with" python3:python3 \
        "$(python3 -m pip --version >/dev/null 2>&1 && echo python3:python3 || echo python3-pip)" ca-certificates
    say "downloading the charts of \`redtune report\` into build/vega (Vega in a Python wheel, about 35 MB)"
    if ! logged build/vega.log "the download" make_vega_script; then
        rm -rf build/vega.part
        say "going on without charts: \`redtune report\` does not work; to change that, let pip reach a package index"
    fi
}
