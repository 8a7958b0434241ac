"""``cutcard device sign-image`` and ``check-image``: what may be installed in a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_config_path

from controller.cli.device_checks import PROBE_S
from controller.cli.failures import CommandError, ExitCode
from firmware_bridge import (
    Identity,
    Image,
    SecurityVersions,
    open_image,
    probe,
    read_private_key,
    read_public_key,
    sign_image,
)

VERSIONS_FILE = user_config_path("cutcard") / "versions.json"
"""Where the security versions that machines were given are kept unless something else is said."""


def sign(
    content: Annotated[Path, typer.Argument(metavar="FILE", help="What goes into the machine.")],
    key: Annotated[Path, typer.Option("--key", help="The maker's private key, Ed25519 in PEM.")],
    model: Annotated[str, typer.Option("--model", help="The model it is for, as it says itself.")],
    firmware: Annotated[str, typer.Option("--firmware", help="Its version, such as 1.2.")],
    security_version: Annotated[
        int,
        typer.Option(
            "--security-version", min=1, help="Higher than that of any that must not come back."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The image to write.")],
) -> int:
    """Sign a firmware, for those who make one.

    Make the keys with `openssl genpkey -algorithm ed25519 -out maker.pem` and
    `openssl pkey -in maker.pem -pubout -out maker.pub`.

    Example: `cutcard device sign-image fw.hex --key maker.pem --model "cutcard ref 1"
    --firmware 1.2 --security-version 3 --out fw.image`
    """
    image = Image(model, firmware, security_version, read_file(content))
    _write(out, sign_image(image, read_private_key(key)))
    print(f"{out} written: {model} {firmware}, security version {security_version}")
    return ExitCode.DONE


def check(
    file: Annotated[Path, typer.Argument(metavar="IMAGE", help="The image.")],
    key: Annotated[Path, typer.Option("--key", help="The maker's public key, Ed25519 in PEM.")],
    port: Annotated[
        str, typer.Option("--port", help="The machine that it is meant for; no table may run.")
    ] = "",
    extract: Annotated[
        Path | None,
        typer.Option("--extract", help="Write what goes into the machine; wants --port."),
    ] = None,
    versions: Annotated[
        Path, typer.Option("--versions", help="The file of security versions given so far.")
    ] = VERSIONS_FILE,
) -> int:
    """Check a firmware image before it is installed, and give its content out only then.

    The maker must have signed it; with `--port` it must be for that machine's model and not older,
    in its security version, than what the machine was given before. The line to the machine takes
    no firmware: install it with the maker's programmer, with the case open.

    Example: `cutcard device check-image fw.image --key maker.pub --port /dev/ttyACM0`
    """
    image = open_image(read_file(file), [read_public_key(key)])
    if extract is not None and not port:
        raise CommandError("say with --port which machine it is for; --extract wants to know")
    if port:
        _check_machine(port, image, extract, SecurityVersions(versions))
    print(
        f"{file}: {image.model} {image.firmware}, security version {image.security_version},"
        f" {len(image.content)} bytes, signed"
    )
    return ExitCode.DONE


def _check_machine(
    port: str, image: Image, extract: Path | None, versions: SecurityVersions
) -> None:
    """The image against the machine; a port in use by a table refuses by itself."""
    who = probe(port, PROBE_S)
    check_model(port, image, who)
    versions.check(who.serial_number, image)
    if extract is not None:
        versions.note(who.serial_number, image)
        _write(extract, image.content)


def check_model(port: str, image: Image, who: Identity) -> None:
    """Refuse an image for another model.

    Raises:
        CommandError: it is.
    """
    if who.model != image.model:
        raise CommandError(
            f"the image is for {image.model}, and on {port} is {who.model}: find the right one"
        )


def read_file(path: Path) -> bytes:
    """The bytes of a file that the person named.

    Raises:
        CommandError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror})") from error


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror})") from error
