"""``cutcard user``: who may sign in to the pages."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from controller.cli.failures import CommandError, ExitCode
from controller.runtime.access import Role
from controller.runtime.access_users import Users

user = typer.Typer(
    name="user",
    help="Who may sign in to the pages: add, list, remove.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name that is typed to sign in.")]
File = Annotated[
    Path, typer.Option("--file", "-f", metavar="FILE", help="The file of users, page.users.")
]
_FILE = Path("users.json")


@user.command()
def add(
    name: Name,
    role: Annotated[Role, typer.Option("--role", help="What the person does.")],
    file: File = _FILE,
) -> int:
    """Add a person, or give one who is there a new role and password.

    The password is asked for twice; when nobody types, it is the first line of standard input.

    Example: `cutcard user add ana --role floor --file users.json`
    """
    Users(file).add(name, role, _password(name))
    print(f"{name} may sign in as {role.value}: {file}")
    return ExitCode.DONE


@user.command("list")
def list_users(
    file: File = _FILE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> int:
    """List who may sign in, and as what.

    Example: `cutcard user list --file users.json`
    """
    for each in Users(file).all():
        line = {"name": each.name, "role": each.role}
        print(msgspec.json.encode(line).decode() if as_json else f"{each.name}: {each.role.value}")
    return ExitCode.DONE


@user.command()
def remove(name: Name, file: File = _FILE) -> int:
    """Take a person out; pages open under the name end when the table is started again.

    Example: `cutcard user remove ana --file users.json`
    """
    Users(file).remove(name)
    print(f"{name} may no longer sign in: {file}")
    return ExitCode.DONE


def _password(name: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass(f"Password of {name}: ")
    if getpass.getpass("The same again: ") != first:
        raise CommandError("the two passwords differ; nothing was changed")
    return first
