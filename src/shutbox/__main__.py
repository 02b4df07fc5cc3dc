"""The entry point of `python -m shutbox`."""

import sys

from shutbox.cli.main import main

sys.exit(main())
