"""``cutcard device install``: a signed image into the machine, by the system's programmer."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.device_checks import PROBE_S
from controller.cli.device_image import VERSIONS_FILE, check_model, read_file
from controller.cli.failures import CommandError, ExitCode
from controller.cli.stopping import run_until_stopped
from firmware_bridge import (
    Identity,
    Image,
    LinkError,
    SecurityVersions,
    held_port,
    open_image,
    probe,
    read_public_key,
)

PROGRAMMER: Final = "avrdude -p atmega2560 -c wiring -P {port} -D -U flash:w:{file}:i"
"""For a board with the usual bootloader on the machine's own port."""

BOOT_S: Final = 15.0
"""Longest from the end of the programming to the machine's first answer: a bootloader waits a
few seconds for another firmware, and the machine tests itself."""

STANDARD_ERROR: Final = 2

UNSURE: Final = "the machine may hold no whole firmware now: do not use it, install again"


def install(
    file: Annotated[Path, typer.Argument(metavar="IMAGE", help="The image.")],
    key: Annotated[Path, typer.Option("--key", help="The maker's public key, Ed25519 in PEM.")],
    port: Annotated[
        str, typer.Option("--port", help="The machine, such as /dev/ttyACM0; no table may run.")
    ],
    programmer: Annotated[
        str,
        typer.Option(
            "--programmer",
            help="The programmer's command; {port} and {file} are filled in.",
        ),
    ] = PROGRAMMER,
    versions: Annotated[
        Path, typer.Option("--versions", help="The file of security versions given so far.")
    ] = VERSIONS_FILE,
) -> int:
    """Install a firmware: check its image, run the programmer, see that the machine runs it.

    The maker must have signed the image; it must be for this machine's model and not older, in
    its security version, than what the machine was given before. The port is held all the time, so
    that no table opens it. Take the cards out first, and leave cable and power alone.

    Exit code 1 when the programmer failed, or the machine does not say afterwards that it runs the
    new firmware.

    Example: `cutcard device install fw.image --key maker.pub --port /dev/ttyACM0`
    """
    image = open_image(read_file(file), [read_public_key(key)])
    words = _command(programmer)
    given = SecurityVersions(versions)
    before = probe(port, PROBE_S)
    check_model(port, image, before)
    given.check(before.serial_number, image)
    with held_port(port):
        ended = run_until_stopped(_program(words, port, image.content))
    if ended:
        return _failed(f"{words[0]} ended with {ended}, see above")
    after = _identified_again(port)
    if after is None:
        return _failed(f"the machine has not answered for {BOOT_S:g} s")
    if wrong := _difference(image, before, after):
        return _failed(wrong)
    given.note(after.serial_number, image)
    print(
        f"{after.serial_number}: firmware {before.firmware} -> {after.firmware},"
        f" security version {image.security_version}"
    )
    return ExitCode.DONE


def _command(programmer: str) -> list[str]:
    """The programmer's words, its program found.

    Raises:
        CommandError: the program is not installed, or the file has no place in the words.
    """
    words = shlex.split(programmer)
    if not words or not any("{file}" in word for word in words):
        raise CommandError("--programmer: say where {file} goes, and {port}")
    if shutil.which(words[0]) is None:
        how = "sudo apt-get install avrdude" if words[0] == "avrdude" else "give its path"
        raise CommandError(f"there is no program {words[0]}: {how}")
    return words


async def _program(words: list[str], port: str, content: bytes) -> int:
    """Run the programmer; its exit code. It speaks to the person itself, on standard error."""
    with tempfile.TemporaryDirectory(prefix="cutcard-firmware-") as folder:
        file = Path(folder) / "firmware.hex"
        file.write_bytes(content)
        filled = [word.replace("{port}", port).replace("{file}", str(file)) for word in words]
        process = await asyncio.create_subprocess_exec(*filled, stdout=STANDARD_ERROR)
        try:
            return await process.wait()
        except asyncio.CancelledError:
            if process.returncode is None:
                process.terminate()
                await process.wait()
            print(f"interrupted: {UNSURE}", file=sys.stderr)
            raise


def _identified_again(port: str) -> Identity | None:
    """The machine once it has started; None where it does not."""
    end_s = time.monotonic() + BOOT_S
    while time.monotonic() < end_s:
        try:
            return probe(port, PROBE_S)
        except LinkError:
            time.sleep(0.1)  # its port may be away while it starts
    return None


def _difference(image: Image, before: Identity, after: Identity) -> str:
    """What is not as it should be after the programming; empty when all is."""
    if after.serial_number != before.serial_number:
        return f"{after.serial_number} answers now, {before.serial_number} did before"
    if (after.model, after.firmware) != (image.model, image.firmware):
        return f"the machine says it runs {after.model} {after.firmware}, not {image.firmware}"
    return ""


def _failed(reason: str) -> int:
    print(f"not installed: {reason}; {UNSURE}", file=sys.stderr)
    return ExitCode.FOUND_FAILURE
