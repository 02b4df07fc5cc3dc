"""The entry point of `python -m shutbox`."""

import sys

try:
    from shutbox.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while the modules are loaded
    sys.exit(130)

sys.exit(main())
