"""What the table refuses.

* EventRefusedError: an event that no table can see; the state is as before
"""

from __future__ import annotations


class EventRefusedError(ValueError):
    """An event cannot be: one sentence says why and what to write instead."""
