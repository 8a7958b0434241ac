"""``python -m controller.cli``, the same as ``cutcard``."""

import sys

from controller.cli.app import main

sys.exit(main())
