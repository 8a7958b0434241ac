"""Built firmware, and machines that run it: natively and in the emulator."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge import WIRES, FaultPlan
from tests.firmware.machines import FirmwareMachine, Machine, SoftwareMachine

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "firmware"


def build(*targets: str) -> Path:
    """Make targets; one worker at a time, for they share the folder."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "--no-print-directory", "-C", str(ROOT / "firmware"), *targets],
            capture_output=True,
            text=True,
        )
    assert made.returncode == 0, made.stdout + made.stderr
    return BUILT


@pytest.fixture(scope="session")
def native_build() -> Path:
    if shutil.which("gcc") is None or shutil.which("make") is None:
        pytest.skip("no C compiler on this machine: make setup-firmware installs it")
    return build("native", "unit", "fuzz")


@pytest.fixture(scope="session")
def avr_build(native_build: Path) -> Path:
    if shutil.which("avr-gcc") is None or not Path("/usr/include/simavr/sim_avr.h").exists():
        pytest.skip("no AVR compiler or no simavr: make setup-firmware installs them")
    assert native_build.exists()
    return build("avr", "emulator")


@pytest.fixture
def command(request: pytest.FixtureRequest) -> Callable[[str], list[str | Path]]:
    """The command that starts the firmware, by the name of the machine."""

    def find(name: str) -> list[str | Path]:
        if name == "native":
            return [request.getfixturevalue("native_build") / "shuffler-native"]
        built: Path = request.getfixturevalue("avr_build")
        return [built / "emulate", built / "shuffler-atmega2560.elf"]

    return find


@pytest.fixture
def make_firmware(
    command: Callable[[str], list[str | Path]],
) -> Iterator[Callable[..., FirmwareMachine]]:
    """Starts firmware by name; all of it has ended when the test has."""
    machines: list[FirmwareMachine] = []

    def make(
        name: str, plan: FaultPlan = WIRES["perfect"], seed: int = 3, serial_number: str = "FW-1"
    ) -> FirmwareMachine:
        machine = FirmwareMachine(name, command(name), plan, seed, serial_number)
        machines.append(machine)
        return machine

    yield make
    for machine in machines:
        machine.close()


@pytest.fixture
def make_machine(
    make_firmware: Callable[..., FirmwareMachine],
) -> Iterator[Callable[..., Machine]]:
    """Starts any machine by name, the software shuffler too."""
    machines: list[Machine] = []

    def make(
        name: str,
        plan: FaultPlan = WIRES["perfect"],
        seed: int = 3,
        shuffle_s: float = 0.0,
        serial_number: str = "FW-1",
    ) -> Machine:
        if name != "software":
            return make_firmware(name, plan, seed, serial_number)
        machine = SoftwareMachine(plan, seed, shuffle_s, serial_number)
        machines.append(machine)
        return machine

    yield make
    for machine in machines:
        machine.close()
