"""Write the JSON Schemas of the payloads and their AsyncAPI description into docs/mqtt/.

Usage: python scripts/write_mqtt_schemas.py. A test compares them with the program.
"""

from __future__ import annotations

import sys
from pathlib import Path

from controller.fleet.asyncapi import description
from controller.fleet.messages import MESSAGES, schema

FOLDER = Path(__file__).parents[1] / "docs" / "mqtt"


def main() -> int:
    """Write every file."""
    for name in MESSAGES:
        (FOLDER / f"{name}.json").write_bytes(schema(name))
    (FOLDER / "asyncapi.json").write_bytes(description())
    return 0


if __name__ == "__main__":
    sys.exit(main())
