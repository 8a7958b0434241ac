"""The firmware's generated files are current, and its own tests and fuzzing pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "firmware" / "tests" / "golden_vectors.txt"
FUZZ_RUNS = 1000


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(w) for w in words], cwd=ROOT, capture_output=True, text=True)


def test_header_and_golden_vectors_are_what_the_message_table_says() -> None:
    checked = run(sys.executable, "scripts/generate_firmware_tables.py", "--check")

    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_generator_says_how_it_is_used() -> None:
    asked = run(sys.executable, "scripts/generate_firmware_tables.py", "--write")

    assert asked.returncode == 2
    assert "--check" in asked.stderr


def test_the_firmwares_own_tests_pass_under_the_sanitizers(native_build: Path) -> None:
    tested = run(native_build / "unit", GOLDEN)

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert tested.stdout.count("ok    ") >= 50


def test_fuzzing_breaks_nothing(native_build: Path) -> None:
    fuzzed = run(native_build / "fuzz", "1", str(FUZZ_RUNS))

    assert fuzzed.returncode == 0, fuzzed.stderr


def test_the_image_fits_the_microcontroller(avr_build: Path) -> None:
    """An ATmega2560 has 256 KiB of flash and 8 KiB of memory, which the stack shares."""
    sizes = run("avr-size", avr_build / "shuffler-atmega2560.elf").stdout.splitlines()[1].split()
    text, data, bss = (int(word) for word in sizes[:3])

    assert text + data < 32 * 1024
    assert data + bss < 5 * 1024


@pytest.mark.parametrize("program", ["unit", "fuzz", "emulate"])
def test_the_programs_say_how_they_are_used(avr_build: Path, program: str) -> None:
    asked = run(avr_build / program)

    assert asked.returncode == 2
    assert asked.stderr.startswith("usage: ")
