#!/usr/bin/env python3
"""Runs every command in a terminal of 80 and of 120 columns and compares what it prints with tests/cli/golden/screens.

Usage: screens_test.py REDTUNE DATA
REDTUNE is the built program, and DATA the folder with the shipped data. No GPU is used, also on a machine that has one.
Every command that `redtune --help` shows must have a screen. No line of a table, a chart or a help may be longer than the
terminal; messages are sentences, which the terminal breaks. With REDTUNE_UPDATE_GOLDEN in the environment, the files are
written; look at the difference.
"""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import threading

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "cli/golden/screens"
WIDTHS = (80, 120)
LINES = 40  # of each screen are compared

SUM = "--op sum --dtype f32"
REPLAY = "--device replay:nvidia-h200"
# The screens, in the order in which they are made. The first ones fill the database me.db.
SCREENS = {
    "tune": f"tune {SUM} --size 1Ki,1Mi {REPLAY} --between 0 --checks 0",
    "tune_again": f"tune {SUM} --size 1Ki,1Mi {REPLAY} --between 0 --checks 0",
    "tune_quiet": f"tune {SUM} --size 1Ki,1Mi {REPLAY} --between 0 --checks 0 --quiet",
    "tune_plan": f"tune {SUM} --size 1Ki..1Gi {REPLAY} --plan",
    "tune_timing": f"tune {SUM} --size 1Ki,1Mi {REPLAY} --between 0 --checks 0 --timing",
    "tune_self_test": f"tune {SUM} --size 1Ki,1Mi {REPLAY} --self-test=20",
    "verify": f"verify {REPLAY} {SUM} --size 1Mi",
    "query": f"query {SUM} --n 32Mi --device h200",
    "query_rule": "query --op sum --dtype u16 --n 1000000 --device b200",
    "query_why": f"query {SUM} --n 32Mi --device h200 --why",
    "explain": f"explain {SUM} --n 1000000 --device h200",
    "emit": f"emit {SUM} --size 1Ki..1Mi --device h200 -o sum.cuh",
    "report": "report --op smu -o report.html",
    "plot": f"plot {SUM} --device h200",
    "plot_time": f"plot {SUM} --device h200 --value time",
    "families": f"families {SUM} --n 16Mi {REPLAY}",
    "families_one": f"families tile_per_block {SUM} --n 16Mi {REPLAY}",
    "simulate": f"simulate {SUM} --size 64Ki,16Mi --strategy random,beam --budget 50 --seeds 2",
    "ladder": "ladder --help",
    "bench": "bench --help",
    "db_path": "db path",
    "db_stats": "db stats",
    "db_list": "db list --op dot",
    "db_list_problems": "db list --regime back_to_back",
    "db_list_own": "db list --db me.db",
    "db_show": "db show",
    "db_show_failures": "db show --failures",
    "db_show_id": "db show 5 --db me.db",
    "db_check": "db check",
    "db_check_repair": "db check --repair --db me.db",
    "db_diff": "db diff me.db data/nvidia-h200.winners.db",
    "db_gc": "db gc --device h200 --older-than 100000 --dry-run",
    "db_export": "db export --db me.db -o me.jsonl",
    "db_import": "db import me.jsonl --db imported.db",
    "db_merge": "db merge me.db imported.db -o merged.db",
    "warm": "warm --help",
    "cache_stats": "cache stats",
    "cache_list": "cache list",
    "cache_verify": "cache verify",
    "cache_clear": "cache clear",
    "devices": "devices --help",
    "doctor": "doctor --help",
    "completion": "completion --help",
    "help": "--help",
    "help_tune": "tune --help",
    "help_db": "db --help",
    "wrong_command": "tunee",
    "wrong_option": "query --size 1Mi",
    "wrong_value": "query --n 1Mi --format jsn",
    "wrong_name": "tune --size 1Ki --op smu",
}


def run_in_terminal(command, columns, folder, environment):
    """Returns what a command prints in a terminal, as it looks at the end."""
    # The test keeps the command's side of the terminal open and writes a last byte to it: Linux may discard what has not
    # been read when a side is closed.
    end = b"\0"
    terminal, side_of_command = pty.openpty()
    fcntl.ioctl(side_of_command, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=side_of_command, stdout=side_of_command,
                               stderr=side_of_command, start_new_session=True)
    waiting = threading.Thread(target=lambda: (process.wait(), os.write(side_of_command, end)))
    waiting.start()
    printed = b""
    while not printed.endswith(end):
        printed += os.read(terminal, 65536)
    waiting.join()
    os.close(terminal)
    os.close(side_of_command)
    printed = printed[:-len(end)]
    lines = printed.decode().replace("\r\n", "\n").split("\n")
    return [line.split("\r")[-1].rstrip() for line in lines]


def add_failures(database):
    """Makes two screenings of a database failures."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE measurement SET status_id = 1, reason = 'expected 523776, got 0: the sum of 1024 elements' "
                           "WHERE id IN (SELECT id FROM measurement WHERE n = 1024 AND stage_id = 0 ORDER BY id LIMIT 2)")
    connection.close()


def without_what_varies(line):
    """Returns a line without the date of this run, its duration, and the sizes of files."""
    line = re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-01-01T00:00:00Z", line)
    line = re.sub(r"(estimate +)\d+s", r"\g<1>1s", line)
    return re.sub(r"^(user .*Z +)\d+", r"\g<1>1", line)


def has_helps_of_golden():
    """Whether the program's parser is CLI11 2.1, as in Debian 12, whose helps the files have. Others write types and spaces
    in other ways, so only the width of their helps is checked."""
    header = pathlib.Path("/usr/include/CLI/Version.hpp")
    return header.exists() and '#define CLI11_VERSION "2.1.' in header.read_text(encoding="utf-8")


def is_too_long(line, columns):
    return len(line) > columns and "  " in line.lstrip()


def commands_of(help_text):
    """Returns the commands in the help of the program."""
    listed = help_text[help_text.index("Subcommands:") + 1:]
    return [line.split()[0] for line in listed if re.match(r"  \w", line)]


def main(program, data):
    environment = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
    environment |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "CUDA_VISIBLE_DEVICES": "",
                    "REDTUNE_DB": "me.db", "REDTUNE_SYSTEM_DATA": "data", "REDTUNE_CACHE": "cache"}
    updates = "REDTUNE_UPDATE_GOLDEN" in os.environ
    wrong = []
    for columns in WIDTHS:
        golden = GOLDEN / str(columns)
        golden.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(pathlib.Path(data).resolve(), os.path.join(folder, "data"))
            environment["HOME"] = folder
            for name, arguments in SCREENS.items():
                if name == "db_show_failures":
                    add_failures(os.path.join(folder, "me.db"))
                screen = run_in_terminal([program, *arguments.split()], columns, folder, environment)
                if name == "help":
                    shown = {text.split()[0] for text in SCREENS.values()}
                    wrong += [f"no screen of `redtune {each}`" for each in commands_of(screen) if each not in shown]
                wrong += [f"{name}, {columns} columns: a line of {len(line)}: {line}" for line in screen[:LINES]
                          if is_too_long(line, columns)]
                text = "\n".join(without_what_varies(line) for line in screen[:LINES]).rstrip() + "\n"
                if "--help" in arguments and not has_helps_of_golden():
                    continue
                file = golden / f"{name}.txt"
                if updates:
                    file.write_text(text, encoding="utf-8")
                elif not file.exists() or file.read_text(encoding="utf-8") != text:
                    wrong.append(f"{file} is not what `redtune {arguments}` prints:\n{text}")
    for message in wrong:
        print(message, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if not shutil.which(sys.argv[1]):
        sys.exit(f"there is no program {sys.argv[1]}")
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
