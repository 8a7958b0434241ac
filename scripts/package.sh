#!/usr/bin/env bash
# Build what is installed elsewhere: a wheel, and a Debian package around it.
#
# Usage: scripts/package.sh [FOLDER]
#   FOLDER    where both are put; dist by default
#
# The Debian package holds the wheel, the locks of what it needs, the systemd units and the
# udev rules; at its installation the Python packages are fetched and their hashes checked.
# Where there is no dpkg-deb, only the wheel is built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target="${1:-dist}"
mkdir -p "$target"
target="$(cd "$target" && pwd)"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT

say() { printf 'package: %s\n' "$*" >&2; }

build_wheel() {
    rm -f "$target"/cutcard-*.whl
    .venv/bin/python -m pip wheel --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --wheel-dir "$target" .
    wheel="$(ls "$target"/cutcard-*.whl)"
    say "$wheel"
}

# The tree as it will lie on the other machine.
fill_tree() {
    install -D -m 0644 -t "$tree/opt/cutcard/wheels" "$wheel"
    install -D -m 0644 -t "$tree/opt/cutcard" requirements-run.lock
    install -D -m 0644 -t "$tree/usr/lib/systemd/system" deploy/*.service
    install -D -m 0644 -t "$tree/usr/lib/udev/rules.d" deploy/99-cutcard.rules
    install -D -m 0644 -t "$tree/usr/share/doc/cutcard/examples" \
        docs/examples/table.toml deploy/mosquitto.* deploy/grafana.json
    install -D -m 0644 LICENSE "$tree/usr/share/doc/cutcard/copyright"
    mkdir -p "$tree/usr/bin"
    ln -s /opt/cutcard/.venv/bin/cutcard "$tree/usr/bin/cutcard"
    mkdir "$tree/DEBIAN"
    sed "s/@VERSION@/$1/" deploy/debian/control >"$tree/DEBIAN/control"
    install -m 0755 -t "$tree/DEBIAN" deploy/debian/postinst deploy/debian/prerm deploy/debian/postrm
}

build_wheel
if ! command -v dpkg-deb >/dev/null; then
    say "no Debian package: dpkg-deb is not installed"
    exit 0
fi
version="$(basename "$wheel" | cut -d - -f 2)"
fill_tree "$version"
chmod 0755 "$tree"
rm -f "$target"/cutcard_*_all.deb
dpkg-deb --root-owner-group --build "$tree" "$target/cutcard_${version}_all.deb" >/dev/null
say "$target/cutcard_${version}_all.deb"
