"""docs/events.md and docs/rulebooks.md say what the code does, name by name."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from controller.events import Event, TableEvent
from controller.rulebook import PARAMETERS, list_rulebooks, load_rulebook
from controller.rules import advance, judge, new_table
from controller.rulings import Ruling

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLES = DOCS / "examples"
EVENTS_PAGE = (DOCS / "events.md").read_text(encoding="utf-8")
RULEBOOKS_PAGE = (DOCS / "rulebooks.md").read_text(encoding="utf-8")
EVENTS: dict[str, type[Event]] = {str(t.__struct_config__.tag): t for t in get_args(TableEvent)}
COMMON = ("at_ms", "by")
DECODER = msgspec.json.Decoder(TableEvent)


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    match = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.M | re.S)
    assert match, f"no heading {heading!r}"
    return match.group(1)


def rows(text: str) -> list[list[str]]:
    """Cells of the table lines of a text, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def words(cell: str) -> list[str]:
    """What stands in code marks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def described(name: str) -> dict[str, list[str]]:
    """The documented fields of an event: value, default and meaning by field name."""
    return {words(row[0])[0]: row[1:] for row in rows(section(EVENTS_PAGE, f"`{name}`"))}


def test_every_event_has_a_section_and_no_other_name_has_one() -> None:
    documented = re.findall(r"^### `(\w+)`$", EVENTS_PAGE, re.M)

    assert sorted(documented) == sorted(EVENTS)


@pytest.mark.parametrize("name", EVENTS)
def test_the_fields_of_an_event_are_the_documents(name: str) -> None:
    fields = [f.name for f in msgspec.structs.fields(EVENTS[name]) if f.name not in COMMON]

    assert sorted(described(name)) == sorted(fields)


@pytest.mark.parametrize("name", EVENTS)
def test_the_defaults_of_an_event_are_the_documents(name: str) -> None:
    for field in msgspec.structs.fields(EVENTS[name]):
        if field.name in COMMON:
            continue
        default = described(name)[field.name][1]
        if field.required:
            assert default == "must be given", field.name
        else:
            encoded = msgspec.json.encode(field.default)
            assert json.loads(words(default)[0]) == json.loads(encoded), field.name


@pytest.mark.parametrize("name", EVENTS)
def test_the_words_that_a_field_may_hold_are_the_documents(name: str) -> None:
    _, components = msgspec.json.schema_components([EVENTS[name]])
    properties = components[EVENTS[name].__name__]["properties"]
    for field, (value, *_) in described(name).items():
        entry = properties[field]
        if "$ref" in entry:
            entry = components[entry["$ref"].rsplit("/", 1)[1]]
        if "enum" in entry and value != "card":
            assert sorted(words(value)) == sorted(entry["enum"]), field


def test_the_fields_of_every_event_are_the_documents() -> None:
    documented = [words(row[0])[0] for row in rows(section(EVENTS_PAGE, "Fields of every event"))]

    assert documented == ["event", *(f.name for f in msgspec.structs.fields(Event))]


def test_the_example_in_the_page_is_the_example_file() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", EVENTS_PAGE, re.S)

    assert block == (EXAMPLES / "exposed_remedied.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_every_example_decodes_and_its_clock_never_goes_back(file: Path) -> None:
    events = [DECODER.decode(line) for line in file.read_bytes().splitlines()]

    times = [event.at_ms for event in events]
    assert times == sorted(times)


def judged(file: Path, rulebook: str) -> tuple[Ruling, ...]:
    """The rulings on an example."""
    lines = enumerate(file.read_bytes().splitlines(), start=1)
    return tuple(judge(lines, load_rulebook(rulebook)))


MORE = rows(section(EVENTS_PAGE, "More examples"))


@pytest.mark.parametrize("row", MORE, ids=lambda row: f"{words(row[2])[0]}-{words(row[3])[0]}")
def test_an_example_gives_the_ruling_that_the_page_says(row: list[str]) -> None:
    link = re.search(r"\((.*?)\)", row[0])
    assert link

    (ruling,) = judged(DOCS / link.group(1), words(row[2])[0])

    assert ruling.irregularity.kind.value == words(row[3])[0]
    assert ruling.verdict.value == words(row[4])[0]
    assert [step.kind.value for step in ruling.steps] == words(row[5])


def test_every_example_file_is_in_the_page_under_both_rulebooks() -> None:
    listed = {(Path(row[0].split("(")[1]).stem, words(row[2])[0]) for row in MORE}
    files = {file.stem for file in EXAMPLES.glob("*.jsonl")}

    assert listed == {(file, book) for file in files for book in ("ck", "fr2")}


def test_the_clauses_of_the_worked_example_stand_in_the_page() -> None:
    (ruling,) = judged(EXAMPLES / "exposed_remedied.jsonl", "ck")

    assert f"({', '.join(ruling.clauses)})" in section(EVENTS_PAGE, "A complete example")


def test_the_remedy_of_the_worked_example_is_done_by_its_last_lines() -> None:
    """The page: lines 11 to 13 finish the deal, 14 to 16 do the other three steps."""
    book = load_rulebook("ck")
    state, done_at = new_table(book), {}
    lines = (EXAMPLES / "exposed_remedied.jsonl").read_bytes().splitlines()
    for number, line in enumerate(lines, start=1):
        outcome = advance(state, DECODER.decode(line), book)
        state = outcome.state
        done_at.update(dict.fromkeys(outcome.done, number))

    assert done_at == {"1/1.1": 13, "1/1.2": 14, "1/1.3": 15, "1/1.4": 16}
    assert not state.open


QUESTIONS = {words(row[0])[0]: row[1:] for row in rows(section(RULEBOOKS_PAGE, "Every question"))}


def test_every_question_of_a_rulebook_is_in_the_page() -> None:
    assert list(QUESTIONS) == list(PARAMETERS)


@pytest.mark.parametrize("key", PARAMETERS)
def test_a_question_and_its_answers_are_the_documents(key: str) -> None:
    parameter = PARAMETERS[key]
    meaning, answers = QUESTIONS[key]

    assert meaning == parameter.meaning
    match parameter.type:
        case "choice":
            assert words(answers) == [f'"{word}"' for word in parameter.allowed]
        case "bool":
            assert words(answers) == ["true", "false"]
        case "number":
            assert answers == f"a whole number from {parameter.least} to {parameter.most}"
        case "numbers":
            assert answers == (
                f"a list of whole numbers from {parameter.least} to {parameter.most}"
            )
        case _:
            assert answers == f'a list of words such as `"{parameter.allowed[0]}"`'


def test_a_house_rulebook_made_as_the_page_says_can_be_used(tmp_path: Path) -> None:
    (sample,) = re.findall(r"```toml\n(.*?)```", RULEBOOKS_PAGE, re.S)
    given = tomllib.loads(sample)
    topics = {key.split(".")[0] for key in PARAMETERS}
    lines = sample.split("[exposed]")[0].splitlines()
    written = re.findall(r"^(\w+) = (\{.*\})$", sample.split("[exposed]")[1], re.M)
    answers = {f"exposed.{name}": answer for name, answer in written}
    for topic in sorted(topics):
        lines.append(f"[{topic}]")
        for key in (k for k in PARAMETERS if k.split(".")[0] == topic):
            answer = answers.get(key, '{ fallback = "ck", floor = true }')
            lines.append(f"{key.split('.')[1]} = {answer}")
    file = tmp_path / "ourhouse.toml"
    file.write_text("\n".join(lines), encoding="utf-8")

    book = load_rulebook(file)

    assert book.title == given["title"]
    assert book["exposed.misdeal_positions"].clauses == ("ourhouse.4",)
    assert book["exposed.suspicion_counts"].floor
    assert book["boxed.single"].clauses == ("ck.boxed.1", "ck.boxed.3")


def test_the_rulebooks_that_the_page_names_are_there() -> None:
    named = re.findall(r"controller/rulebooks/(\w+)\.toml", RULEBOOKS_PAGE)

    assert set(named) <= set(list_rulebooks())
