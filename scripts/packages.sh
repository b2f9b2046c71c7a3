# Functions that find and install missing distribution packages; to be sourced after common.sh. An ENTRY is PACKAGE, or
# PACKAGE:COMMAND if a COMMAND on the PATH serves as well.
# shellcheck shell=bash

# missing_packages ENTRY...: prints the packages that are not installed, one a line.
missing_packages() {
    local entry installed
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p')
    for entry in "$@"; do
        if [[ $entry == *:* ]] && command -v "${entry#*:}" >/dev/null; then
            continue
        fi
        grep --quiet --line-regexp --fixed-strings -- "${entry%%:*}" <<<"$installed" || echo "${entry%%:*}"
    done
}

# install_packages WHY ENTRY...: installs the missing packages. If it cannot, it prints the command to run by hand.
install_packages() {
    local why=$1
    shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "there is no apt-get; these packages, or your distribution's equivalents, must be installed: ${*%%:*}"
        return
    fi
    local -a missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return
    fi
    local by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "packages are missing and installing them takes root; run as root: $by_hand"
        as_root=(sudo)
    fi
    say "installing $why: ${missing[*]}"
    mkdir -p build
    logged build/apt.log "apt-get" apt_install ||
        fail "could not install the packages; as root, this has to work: $by_hand"
}

# apt_install: installs `missing` with `as_root`, variables of install_packages.
apt_install() {
    local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes
                  -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
    local -a install=("${apt[@]}" install --no-install-recommends "${missing[@]}")
    # Tries the existing package lists first, and updates them only if the installation fails.
    if compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null && "${install[@]}"; then
        return
    fi
    "${apt[@]}" update && "${install[@]}"
}
