"""Which machine a ``cutcard device`` command speaks to, and how far it trusts it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.cli.failures import CommandError
from controller.runtime.config import NONE, load_config
from controller.runtime.opening import trusting
from firmware_bridge import MagazineCard, Settings, Shuffler, SoftwareShuffler

SIMULATED: Final = "simulated"
"""The word for a machine in software, started for this command alone."""

_CARDS: Final = 52


@dataclass(frozen=True, slots=True)
class Target:
    """A machine: its port, its serial number (empty takes any), how to treat the line."""

    url: str
    serial_number: str
    settings: Settings

    async def connect(self) -> Shuffler:
        """Connect it.

        Raises:
            LinkError: The port cannot be used, or something else answers.
        """
        return await Shuffler.connect(
            self.url, serial_number=self.serial_number, settings=self.settings
        )

    def with_settings(self, settings: Settings) -> Target:
        """The same machine, its line treated otherwise."""
        return replace(self, settings=settings)


@contextmanager
def open_target(where: str, keys: Path | None) -> Iterator[Target]:
    """The machine on a port, of a table file, or in software.

    Args:
        where: a port, the path of a table file (``.toml``), or ``simulated``.
        keys: the file of keys; None takes what a table file says, else any machine.

    Raises:
        CommandError: the table file has no shuffler.
        ConfigError: the table file is wrong.
        LinkError: the file of keys cannot be used.
    """
    settings = Settings() if keys is None else trusting(keys)
    if where == SIMULATED:
        with SoftwareShuffler(rng=random.Random()) as machine:
            machine.insert([MagazineCard(f"card {number}") for number in range(_CARDS)])
            yield Target(machine.url, "", settings)
    elif where.endswith(".toml"):
        yield _of_table(Path(where), settings, keys)
    else:
        yield Target(where, "", settings)


def _of_table(path: Path, settings: Settings, keys: Path | None) -> Target:
    section = load_config(path).shuffler
    if section.url == NONE:
        raise CommandError(f"{path}: it has no shuffler; give a port, or shuffler.url there")
    if keys is None and section.keys != NONE:
        settings = trusting(Path(section.keys))
    return Target(section.url, section.serial_number, settings)
