"""Somebody who has signed in, as the pages see him."""

from __future__ import annotations

from msgspec.structs import replace

from controller.events import AlarmAcknowledged, FloorDecided, TableEvent
from controller.runtime.access import PAGES, Role, may_open, may_tap
from controller.runtime.access_sessions import Session, Sessions
from controller.runtime.errors import TapRefusedError
from controller.view import LANGUAGES, text
from controller.web.following import ShownTable


class SignedIn:
    """A person with a role: reports what the role may, under the person's own name.

    Args:
        session: The person.
        sessions: All sessions.
    """

    def __init__(self, session: Session, sessions: Sessions) -> None:
        self._session, self._sessions = session, sessions
        self.name = session.name
        self.pages = tuple(path for path in PAGES if may_open(session.role, path))

    @property
    def is_in(self) -> bool:
        """Whether the person is still signed in."""
        return self._sessions.is_live(self._session)

    def acts(self) -> bool:
        """Note that the person does something; whether he may still."""
        if self.is_in:
            self._sessions.touch(self._session)
        return self.is_in

    async def tap(self, table: ShownTable, event: TableEvent) -> None:
        """Send a tap in this person's name.

        Raises:
            TapRefusedError: The session has ended, the role may not report this, or it
                does not fit what the table waits for.
        """
        if not self.acts():
            raise _refused("refused.signed_out")
        if not may_tap(self._session.role, event) or self._is_above(table, event):
            raise _refused("refused.role")
        if isinstance(event, FloorDecided):
            event = replace(event, who=self.name)
        if isinstance(event, AlarmAcknowledged):
            event = replace(event, by_whom=self.name)
        await table.tap(event)

    def _is_above(self, table: ShownTable, event: TableEvent) -> bool:
        """Whether a dealer would answer for an alarm that is the floor's to answer for."""
        if self._session.role is not Role.DEALER or not isinstance(event, AlarmAcknowledged):
            return False
        alarms = table.view(LANGUAGES[0]).alarms
        return any(alarm.id == event.alarm and alarm.for_floor for alarm in alarms)


def _refused(key: str) -> TapRefusedError:
    return TapRefusedError(text(key, "en"), key=key)
