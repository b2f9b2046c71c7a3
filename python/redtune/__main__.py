"""`python -m redtune ARGUMENTS` runs the redtune program with these arguments."""

import os
import sys

from . import _program


def main():
    """Replace this process by the program."""
    path = _program.path()
    os.execve(path, ["redtune", *sys.argv[1:]], _program.environment())


if __name__ == "__main__":
    main()
