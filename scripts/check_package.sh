#!/usr/bin/env bash
# Install the wheel of scripts/package.sh as on a fresh machine and use it there.
#
# Usage: scripts/check_package.sh [FOLDER]
#   FOLDER    where the wheel lies; dist by default
#
# Exit 1 when something is missing in it. Nothing of this checkout is used but the locks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wheel="$(realpath "${1:-dist}"/cutcard-*.whl)"
lock="$(realpath requirements-run.lock)"
away="$(mktemp -d)"
trap 'rm -rf "$away"' EXIT

python3 -m venv "$away/venv"
"$away/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes -r "$lock"
"$away/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheel"

cd "$away"
"$away/venv/bin/python" -c 'import controller, sys; sys.exit(not controller.__file__.startswith(sys.prefix))'
"$away/venv/bin/cutcard" --version
"$away/venv/bin/cutcard" demo --hands 1 --no-browser --json
"$away/venv/bin/cutcard" doctor
