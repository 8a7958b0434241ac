"""What is installed elsewhere: the wheel is whole, and the Debian package holds it.

``scripts/check_package.sh`` installs it in an environment of its own, which takes a minute
and a package index; here it is used from a folder, with the packages of this environment.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("controller", "firmware_bridge", "vision")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which wheel and Debian package lie."""
    folder = tmp_path_factory.mktemp("dist")
    script = str(ROOT / "scripts" / "package.sh")
    done = subprocess.run([script, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("cutcard-*.whl")
    return found


def tracked() -> set[str]:
    """Every file of the packages that the repository holds."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PACKAGES], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no checkout")
    names = listed.stdout.decode().split("\0")
    return {name for name in names if name and (ROOT / name).is_file()}


def installed(wheel: Path, folder: Path) -> dict[str, str]:
    """Unpack the wheel as an installer does; the environment in which it is found first."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return {**os.environ, "PYTHONPATH": str(folder), "HOME": str(folder)}


def ran(arguments: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a command of the installed program prints, far from the checkout."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())

    assert tracked() - held == set()
    assert {name.split("/")[0] for name in held} == {*PACKAGES, wheel_info(wheel)}


def wheel_info(wheel: Path) -> str:
    name, version, *_ = wheel.name.split("-")
    return f"{name}-{version}.dist-info"


@pytest.mark.timeout(300)
def test_the_wheel_plays_a_hand_far_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    environment = installed(wheel, tmp_path)

    where = ran(["-c", "import controller; print(controller.__file__)"], tmp_path, environment)
    version = ran(["-m", "controller.cli", "--version"], tmp_path, environment)
    command = ["-m", "controller.cli", "demo", "--hands", "1", "--no-browser", "--json"]
    hand = json.loads(ran(command, tmp_path, environment))

    assert where.startswith(str(tmp_path))
    assert version.split() == ["cutcard", wheel.name.split("-")[1]]
    assert (hand["hand"], hand["consistent"], hand["missed"]) == (1, True, [])


@pytest.mark.timeout(300)
def test_the_wheel_finds_its_rulebooks_model_and_migrations(wheel: Path, tmp_path: Path) -> None:
    environment = installed(wheel, tmp_path)
    write = "from controller.runtime import Journal; Journal.open('t.journal').close()"

    found = ran(["-m", "controller.cli", "doctor", "--json"], tmp_path, environment)
    ran(["-c", write], tmp_path, environment)
    journal = ran(["-m", "controller.cli", "journal", "verify", "t.journal"], tmp_path, environment)

    states = [json.loads(line) for line in found.splitlines()]
    assert {"model", "rulebook ck", "rulebook fr3"} <= {line["check"] for line in states}
    assert [line for line in states if line["health"] == "failure"] == []
    assert journal


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not installed")
def test_the_debian_package_holds_wheel_locks_units_and_rules(built: Path) -> None:
    (package,) = built.glob("cutcard_*_all.deb")

    listed = subprocess.run(
        ["dpkg-deb", "--contents", str(package)], capture_output=True, text=True, check=True
    ).stdout

    for name in (
        r"opt/cutcard/wheels/cutcard-[\d.]+-py3-none-any\.whl",
        r"opt/cutcard/requirements-run\.lock",
        r"usr/lib/systemd/system/cutcard-table@\.service",
        r"usr/lib/systemd/system/cutcard-pit\.service",
        r"usr/lib/udev/rules\.d/99-cutcard\.rules",
        r"usr/bin/cutcard -> /opt/cutcard/\.venv/bin/cutcard",
    ):
        assert re.search(rf"\./{name}$", listed, re.MULTILINE), name


def test_the_units_start_the_program_where_the_package_puts_it() -> None:
    units = sorted((ROOT / "deploy").glob("*.service"))
    postinst = (ROOT / "deploy" / "debian" / "postinst").read_text()

    assert units
    for unit in units:
        assert "ExecStart=/opt/cutcard/.venv/bin/cutcard " in unit.read_text(), unit
    assert "\n/usr/bin/python3 -m venv --clear /opt/cutcard/.venv\n" in postinst


@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm"])
def test_a_script_of_the_package_is_valid_shell_and_stops_at_the_first_error(name: str) -> None:
    path = ROOT / "deploy" / "debian" / name

    assert "\nset -e\n" in path.read_text()
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0


def test_the_container_is_built_from_the_wheel_and_the_lock_of_what_it_needs() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text()

    assert "pip wheel" in lines
    assert "requirements-run.lock" in lines
    assert "requirements.lock" not in lines.replace("requirements-run.lock", "")
    for name in re.findall(r"^COPY (?!--from)(.+) \S+$", lines, re.MULTILINE):
        assert [word for word in name.split() if not (ROOT / word).exists()] == []
