"""How a machine draws where its cards go: entropy of two ends, its health, its slots.

Pure: bytes come in as data. ``docs/shuffle.md`` says what an order drawn so is worth.
"""

from firmware_bridge.shuffle.entropy import (
    SECRET_BYTES,
    EntropyMixer,
    Stream,
    commitment_to,
    is_opening,
    mix,
)
from firmware_bridge.shuffle.health import (
    STARTUP_SAMPLES,
    HealthMonitor,
    HealthTest,
    apt_cutoff,
    rct_cutoff,
)
from firmware_bridge.shuffle.slots import (
    Design,
    DrawnBy,
    Slot,
    SlotPlan,
    draw_slots,
    order_after,
)

__all__ = [
    "SECRET_BYTES",
    "STARTUP_SAMPLES",
    "Design",
    "DrawnBy",
    "EntropyMixer",
    "HealthMonitor",
    "HealthTest",
    "Slot",
    "SlotPlan",
    "Stream",
    "apt_cutoff",
    "commitment_to",
    "draw_slots",
    "is_opening",
    "mix",
    "order_after",
    "rct_cutoff",
]
