"""``python -m controller.cli``, the same as ``cutcard``."""

import sys

from controller.cli.starting import main

sys.exit(main())
