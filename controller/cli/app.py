"""The ``cutcard`` program: its commands, and how whatever goes wrong is said.

A mistake of the user's, a file that cannot be read, a port that is not there:
each ends with one line on standard error and the exit code of ``ExitCode``. A
traceback means a defect in this program and nothing else.
"""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import typer
from typer.exceptions import TyperException

from controller.cli.calibrate import calibrate
from controller.cli.deck import deck
from controller.cli.demo import demo
from controller.cli.device import device
from controller.cli.doctor import doctor
from controller.cli.export import export
from controller.cli.failures import CommandError, ExitCode, complain
from controller.cli.journal import journal
from controller.cli.judge import judge
from controller.cli.output import let_go_of_output, prepare_output
from controller.cli.pit import pit
from controller.cli.recognise import recognise
from controller.cli.replay import replay
from controller.cli.rulebook import rulebook
from controller.cli.run import run
from controller.cli.shuffle import shuffle
from controller.cli.simulate import simulate
from controller.cli.stopping import StoppedError
from controller.cli.user import user
from controller.fleet import FleetError
from controller.rulebook import RulebookError
from controller.rules import EventFileError
from controller.runtime.errors import RuntimeFault
from controller.shuffle import ShuffleError
from controller.simulate import SimulationError
from firmware_bridge import LinkError
from vision import VisionError

HELP = """
Watch a card table, find irregularities, rule on them and lead the dealer through the remedy.

Start with `cutcard demo`: a simulated table in the browser, no hardware needed.
Then `cutcard doctor` says what of your own hardware is found.

Exit codes: 0 done; 1 ran and found a failure; 2 wrong usage or bad input.
"""

app = typer.Typer(
    name="cutcard",
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


app.command()(demo)
app.command()(run)
app.command()(doctor)
app.command()(calibrate)
app.command()(recognise)
app.command()(judge)
app.command()(replay)
app.command()(export)
app.command()(simulate)
app.add_typer(deck)
app.add_typer(rulebook)
app.add_typer(journal)
app.add_typer(shuffle)
app.add_typer(device)
app.add_typer(pit)
app.add_typer(user)

PACKAGE_ERRORS = (
    LinkError,
    VisionError,
    RulebookError,
    EventFileError,
    RuntimeFault,
    SimulationError,
    ShuffleError,
    FleetError,
)
"""The base errors of the packages: each message is a sentence for the user."""


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"cutcard {version('cutcard')}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what is going on, on standard error.")
    ] = False,
) -> None:
    """Options that stand before the command."""
    level = logging.DEBUG if verbose else logging.ERROR
    logging.basicConfig(
        level=level, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after ``cutcard``; those of the process when None.

    Returns:
        The exit code, one of ``ExitCode``.
    """
    prepare_output()
    try:
        return _run(arguments)
    except SystemExit:  # typer's answer to a pipe that nobody reads, and to nothing else
        return ExitCode.READER_GONE
    except OSError as error:
        return _refused_by_computer(error)
    finally:
        let_go_of_output()


def _run(arguments: Sequence[str] | None) -> int:
    """The command; what it raises on purpose becomes one line and an exit code."""
    try:
        code = app(args=arguments, prog_name="cutcard", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code or ExitCode.DONE)
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    except StoppedError as stopped:
        return stopped.exit_code
    except typer.Exit as end:
        return end.exit_code
    except TyperException as error:
        _complain_of_usage(error)
        return ExitCode.BAD_INPUT
    except CommandError as error:
        complain(error)
        return error.exit_code
    except PACKAGE_ERRORS as error:
        complain(error)
        return ExitCode.BAD_INPUT


def _refused_by_computer(error: OSError) -> int:
    """Most often the disk that the output or a temporary file goes to."""
    if error.errno == errno.EPIPE:
        return ExitCode.READER_GONE
    where = error.filename or "the output"
    complain(f"{where}: {error.strerror or error}; put that right and start again")
    return ExitCode.BAD_INPUT


def _complain_of_usage(error: TyperException) -> None:
    """Say what is wrong with the words typed; without any, the help has been shown."""
    if sentence := error.format_message().rstrip("."):
        context = getattr(error, "ctx", None)
        command = "cutcard" if context is None else context.command_path
        complain(f"{sentence}; see {command} --help")
