#!/usr/bin/env bash
# Make .venv ready: pick a Python, install the system packages that are missing,
# then the locked Python packages and cutcard itself. Done once per lock file and
# Python version; after that it only looks at a stamp.
#
# Usage: scripts/setup.sh [run|firmware|test]
#   run       what the product needs (the default)
#   firmware  also the compilers and the emulator of the reference firmware
#   test      and a Chromium for the tests that drive the dealer page, PostgreSQL and Mosquitto
#
# CUTCARD_PYTHON names the Python to use. Exit 2: something must be installed by
# hand first; the line printed says what.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

purpose="${1:-run}"
stamp=".venv/.ready"

say() { printf 'setup: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 2
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# The interpreter named by the user, else the one .venv was made with, else the newest.
pick_python() {
    local name
    if [ -n "${CUTCARD_PYTHON:-}" ] && ! is_new_enough "$CUTCARD_PYTHON"; then
        fail "CUTCARD_PYTHON=$CUTCARD_PYTHON is not a Python 3.11 or newer; unset it or correct it"
    fi
    for name in "${CUTCARD_PYTHON:-.venv/bin/python}" python3.13 python3.12 python3.11 python3; do
        if is_new_enough "$name"; then
            "$name" -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))'
            return
        fi
    done
    fail "no Python 3.11 or newer found; install one (Debian 12, Ubuntu 23.04 and later:" \
        "apt-get install python3 python3-venv) or set CUTCARD_PYTHON to its path"
}

can_load() { "$1" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$2" >/dev/null 2>&1; }

# Debian keeps the server's programs off the path.
find_postgres() { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null; }

find_broker() { command -v mosquitto || ls /usr/sbin/mosquitto 2>/dev/null; }

find_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

# What builds the firmware for the host and the microcontroller, and emulates the latter.
missing_firmware_packages() {
    command -v gcc >/dev/null || echo gcc
    [ -e /usr/include/stdio.h ] || echo libc6-dev
    command -v avr-gcc >/dev/null || echo gcc-avr
    command -v avr-size >/dev/null || echo binutils-avr
    [ -e /usr/lib/avr/include/avr/io.h ] || echo avr-libc
    [ -e /usr/include/simavr/sim_avr.h ] || echo libsimavr-dev
    [ -e /usr/include/libelf.h ] || echo libelf-dev
}

# The Debian and Ubuntu names of what this machine lacks, one per line.
missing_packages() {
    local python="$1"
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
    fi
    can_load "$python" libGL.so.1 || echo libgl1
    can_load "$python" libgthread-2.0.so.0 || echo libglib2.0-0
    if [ "$purpose" != run ]; then
        missing_firmware_packages
    fi
    if [ "$purpose" = test ]; then
        find_browser >/dev/null || echo chromium
        find_postgres >/dev/null || echo postgresql # the tests start a server of their own
        find_broker >/dev/null || echo mosquitto # so do those of the messages
        can_load "$python" libatomic.so.1 || echo libatomic1 # for Playwright's driver
    fi
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        fail "missing system packages: $*; install them (names as in Debian) and run this again"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        fail "missing system packages; run: sudo apt-get install -y $*"
    fi
    say "installing system packages: $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >/dev/null || say "apt-get update failed; trying with the lists at hand"
    apt-get install -y -q --no-install-recommends "$@" >/dev/null \
        || fail "apt-get could not install: $*; see its message above"
}

# Which Python an interpreter belongs to; empty when it does not run.
base_of() { "$1" -c 'import sys; print(sys.version, sys.base_prefix)' 2>/dev/null || true; }

fingerprint() {
    {
        cat requirements.lock requirements-build.lock pyproject.toml scripts/setup.sh
        base_of "$1"
        pwd
    } | sha256sum | cut -d ' ' -f 1
}

install_python_packages() {
    local python="$1"
    if [ "$(base_of .venv/bin/python)" != "$(base_of "$python")" ]; then
        say "creating .venv with $("$python" --version)"
        rm -rf .venv
        "$python" -m venv .venv || fail "$python could not create .venv; see its message above"
    fi
    say "installing the locked Python packages (a minute or two the first time)"
    # Hashes are checked; the project itself is built with the locked back end.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
        -r requirements-build.lock -r requirements.lock \
        || fail "pip could not install the locked packages; see its message above"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --editable . \
        || fail "pip could not install cutcard itself; see its message above"
}

python="$(pick_python)"
missing="$(missing_packages "$python")"
if [ -n "$missing" ]; then
    # Package names hold no spaces: each word is one package.
    # shellcheck disable=SC2086
    install_packages $missing
fi

wanted="$(fingerprint "$python")"
if [ "$(cat "$stamp" 2>/dev/null || true)" != "$wanted" ]; then
    install_python_packages "$python"
    .venv/bin/python -c 'import cv2' \
        || fail "OpenCV does not load although its libraries are installed; see the message above"
    echo "$wanted" >"$stamp"
fi
