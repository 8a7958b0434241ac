"""The table file: one TOML file says what this table is made of (docs/configuration.md)."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from controller.runtime.errors import ConfigError

NONE: Final = "none"
"""The word in a table file for a device that the table does not have."""


class TableSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[table]``: the game as people at the table know it."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    seats: Annotated[int, msgspec.Meta(ge=2, le=10)] = 10
    rulebook: str = "ck"
    language: Literal["en", "fr"] = "en"
    deck_back: Literal["red", "blue", ""] = ""


class ShufflerSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[shuffler]``: where the machine is connected; ``none`` for a table without one.

    ``keys`` is the file of the machines' keys: with it only a machine that proves its
    key is taken, and what is refused is written to ``audit.jsonl`` beside it.
    ``second_deck`` is the back of the deck that a machine with two makes ready while the
    one of ``table.deck_back`` is in play, and the other way round.
    """

    url: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    serial_number: str = ""
    keys: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    second_deck: Literal["red", "blue", ""] = ""


class CameraSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[camera]``: the picture and how zones are found in it; ``none`` for no camera."""

    source: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    second: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    zones: str = "markers"
    stable_frames: Annotated[int, msgspec.Meta(ge=1, le=30)] = 3


class JournalSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[journal]``: the file or database that keeps every event, and the key that signs it."""

    path: Annotated[str, msgspec.Meta(min_length=1)] = "table.journal"
    key: str = ""


class PageSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[page]``: where the pages are served; only to this computer by default.

    ``users`` is the file of those who may sign in, ``certificate`` and ``key`` are PEM files.
    """

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 8080
    users: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    certificate: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    key: Annotated[str, msgspec.Meta(min_length=1)] = NONE


class MqttSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[mqtt]``: the broker to which the table tells what happens; ``none`` for a table alone.

    ``table`` is the table's name in topics, ``password_file`` a file whose first line is
    the password, ``ca`` the certificate that vouches for the broker.
    """

    url: Annotated[str, msgspec.Meta(pattern=r"^(none|mqtts?://[^/@\s]+)$")] = NONE
    table: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{0,40}$")] = ""
    user: str = ""
    password_file: Annotated[str, msgspec.Meta(min_length=1)] = NONE
    ca: Annotated[str, msgspec.Meta(min_length=1)] = NONE


class MetricsSection(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[metrics]``: the port on this computer where Prometheus reads; 0 for none."""

    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0


class TableConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A whole table file; paths in it are relative to the file's folder."""

    table: TableSection
    shuffler: ShufflerSection = ShufflerSection()
    camera: CameraSection = CameraSection()
    journal: JournalSection = JournalSection()
    page: PageSection = PageSection()
    mqtt: MqttSection = MqttSection()
    metrics: MetricsSection = MetricsSection()

    @property
    def has_shuffler(self) -> bool:
        """Whether the table has a shuffler."""
        return self.shuffler.url != NONE

    @property
    def has_camera(self) -> bool:
        """Whether the table has a camera."""
        return self.camera.source != NONE

    @property
    def has_broker(self) -> bool:
        """Whether the table tells a broker what happens."""
        return self.mqtt.url != NONE


def load_config(path: Path) -> TableConfig:
    """Read a table file.

    Returns:
        The configuration, with every path in it made absolute from the folder of the
        table file.

    Raises:
        ConfigError: The file is absent, no TOML, or a key or value in it is wrong.
    """
    text = _text(path)
    raw = _parsed(path, text)
    _refuse_unknown(path, text, raw)
    try:
        config = msgspec.convert(raw, TableConfig)
    except msgspec.ValidationError as error:
        raise _said(path, text, str(error)) from error
    if config.shuffler.serial_number and not config.has_shuffler:
        raise ConfigError(
            path,
            "a serial number alone finds no machine; give shuffler.url too",
            key="shuffler.serial_number",
            line=_line_of(text, "shuffler", "serial_number"),
        )
    if config.shuffler.second_deck and config.table.deck_back in ("", config.shuffler.second_deck):
        raise ConfigError(
            path,
            "the backs of two decks must differ; give table.deck_back the other colour",
            key="shuffler.second_deck",
            line=_line_of(text, "shuffler", "second_deck"),
        )
    if (config.page.certificate == NONE) != (config.page.key == NONE):
        raise ConfigError(
            path,
            "TLS takes both; give page.certificate and page.key",
            key="page.certificate",
            line=_line_of(text, "page", "certificate") or _line_of(text, "page", "key"),
        )
    if config.has_broker and not config.mqtt.table:
        raise ConfigError(
            path,
            "give the table a name of its own at the broker: letters, digits, - and _",
            key="mqtt.table",
            line=_line_of(text, "", "mqtt"),
        )
    return _absolute(config, path.absolute().parent)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors put a mark at the beginning
    except FileNotFoundError:
        raise ConfigError(path, "there is no such file; give the path of a table file") from None
    except UnicodeDecodeError:
        raise ConfigError(path, "it is not a text file in UTF-8; save it as one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is no name of a file"
        raise ConfigError(path, f"{reason}; give the path of a table file") from None


def _parsed(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(path, "it is nested too deeply; a value is a word or a number") from None
    except ValueError as error:  # also of a number with thousands of digits
        line = int(found[1]) if (found := re.search(r"line (\d+)", str(error))) else 0
        raise ConfigError(path, f"not valid TOML: {error}", line=line) from error


_NO_PATH: Final = re.compile(r"camera:|rendered$|none$|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
"""Sources and journals that are no path of a file (``vision.open_source``)."""


def _absolute(config: TableConfig, folder: Path) -> TableConfig:
    """The same with every path taken from the folder of the table file."""

    def placed(name: str) -> str:
        return name if _NO_PATH.match(name) else str(folder / name)

    camera, book = config.camera, config.table.rulebook
    is_file = bool(Path(book).suffix) or len(Path(book).parts) > 1
    return msgspec.structs.replace(
        config,
        shuffler=msgspec.structs.replace(config.shuffler, keys=_keys(config.shuffler.keys, folder)),
        table=msgspec.structs.replace(config.table, rulebook=placed(book) if is_file else book),
        camera=msgspec.structs.replace(
            camera,
            source=placed(camera.source),
            second=placed(camera.second),
            zones=camera.zones if camera.zones == "markers" else placed(camera.zones),
        ),
        journal=JournalSection(
            path=placed(config.journal.path),
            key=str(folder / config.journal.key) if config.journal.key else "",
        ),
        page=msgspec.structs.replace(
            config.page,
            users=_keys(config.page.users, folder),
            certificate=_keys(config.page.certificate, folder),
            key=_keys(config.page.key, folder),
        ),
        mqtt=msgspec.structs.replace(
            config.mqtt,
            password_file=_keys(config.mqtt.password_file, folder),
            ca=_keys(config.mqtt.ca, folder),
        ),
    )


def _keys(name: str, folder: Path) -> str:
    """A file of secrets, which lies in the home folder more often than beside the table file."""
    return name if name == NONE else str(folder / Path(name).expanduser())


def _sections() -> dict[str, tuple[str, ...]]:
    """The keys that each section may have."""
    return {
        field.name: tuple(f.name for f in msgspec.structs.fields(field.type))
        for field in msgspec.structs.fields(TableConfig)
    }


def _refuse_unknown(path: Path, text: str, raw: dict[str, object]) -> None:
    sections = _sections()
    for section, content in raw.items():
        if section not in sections:
            raise _unknown(path, text, section, tuple(sections), section)
        if not isinstance(content, dict):
            raise ConfigError(
                path,
                f"write it as a section: [{section}] on a line of its own",
                key=section,
                line=_line_of(text, "", section),
            )
        for key in content:
            if key not in sections[section]:
                raise _unknown(path, text, f"{section}.{key}", sections[section], key)
        _refuse_unprintable(path, text, section, content)


def _refuse_unprintable(path: Path, text: str, section: str, content: dict[str, object]) -> None:
    """No name of anything holds a line break or a zero; systems answer them in odd ways."""
    for key, value in content.items():
        if isinstance(value, str) and not value.isprintable():
            raise ConfigError(
                path,
                "there is a character in it that cannot be seen; write the value anew",
                key=f"{section}.{key}",
                line=_line_of(text, section, key),
            )


def _unknown(
    path: Path, text: str, dotted: str, allowed: tuple[str, ...], word: str
) -> ConfigError:
    near = difflib.get_close_matches(word, allowed, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"allowed here: {', '.join(allowed)}"
    section, _, key = dotted.rpartition(".")
    return ConfigError(
        path, f"no such key; {hint}", key=dotted, line=_line_of(text, section, key or section)
    )


def _said(path: Path, text: str, words: str) -> ConfigError:
    """Name the key and the line that a validation message speaks of."""
    problem, _, where = words.partition(" - at `$")
    dotted = where.strip("`.")
    if missing := re.search(r"missing required field `(\w+)`", problem):
        dotted = f"{dotted}.{missing[1]}".strip(".")
        return ConfigError(path, "this key must be given", key=dotted)
    section, _, key = dotted.rpartition(".")
    return ConfigError(
        path, _allowed(problem, section, key), key=dotted, line=_line_of(text, section, key)
    )


def _allowed(problem: str, section: str, key: str) -> str:
    """The problem, with the allowed words when the key takes one of a few."""
    for field in msgspec.structs.fields(TableConfig):
        if field.name != section:
            continue
        for inner in msgspec.structs.fields(field.type):
            words = getattr(inner.type, "__args__", ())
            if inner.name == key and words and all(isinstance(w, str) for w in words):
                shown = ", ".join(repr(w) for w in words)
                return f"this value is not allowed; write one of {shown}"
    return f"{problem[:1].lower()}{problem[1:]}; correct the value"


def _line_of(text: str, section: str, key: str) -> int:
    """The line, from 1, on which a key of a section stands; 0 when it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([\w.-]+)\s*\]", line):
            here = header[1]
            if here == key and not section:
                return number
        elif here == section and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return 0
