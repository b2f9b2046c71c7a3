#!/usr/bin/env python3
"""Checks the commands of redtune that the pages show, in blocks and inside of text: the program has each command and option.
run_page_commands_test.py runs those in blocks.

Usage: page_commands_test.py REDTUNE: the built program
"""

import pathlib
import re
import subprocess
import sys
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tests/scripts"))
import links_test  # noqa: E402

CODE = re.compile(r"^ *(`{3,})\w*\n(?P<block>.*?)^ *\1 *$|(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)", re.MULTILINE | re.DOTALL)
# A command ends where a shell ends it, or where a comment begins.
COMMAND = re.compile(r"(?:^|[|&;] *|\$\(|-m |\./scripts/|(?<!/)scripts/|\w/bin/)redtune(?= +[a-z-])((?: +(?![#&|;)])[^\s|;&)]+)+)", re.MULTILINE)
OPTION = re.compile(r"--?[a-z][\w-]*")
# A page of changes may show what is no longer there.
LEFT_OUT = {PROJECT / "CHANGELOG.md"}
# redtune bench is another program, and redtune starts the worker itself, so that the manual has the options of neither.
NO_MANUAL = {"bench", "worker"}


def manual_of(program):
    """The options of each command, from the program's manual page."""
    text = subprocess.run([program, "man"], capture_output=True, text=True, check=True).stdout.replace("\\-", "-")
    parts = re.split(r'^\.SS "redtune (.*)"$', text.partition(".SH COMMANDS")[2], flags=re.MULTILINE)
    return {name: set(re.findall(r"\\fB(-[\w-]+)", body)) for name, body in zip(parts[1::2], parts[2::2])}


def commands(text):
    """The line and the words of each command of redtune on a page."""
    for code in CODE.finditer(text):
        # A command in running text may be broken by the end of a line.
        shown = code["block"] if code["block"] is not None else code["text"].replace("\n", " ")
        for command in COMMAND.finditer(shown.replace("\\\n", "  ")):
            yield text.count("\n", 0, code.start()) + 1, command[1].split()


def fault(words, manual):
    if words[0].startswith("-"):
        name, rest = "", words
    else:
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in manual), None)
        rest = words[1:]
    if words[0] in NO_MANUAL:
        return None
    if name is None:
        return "there is no such command"
    allowed = manual.get(name, {"--help", "--version"})
    for word in rest:
        option = OPTION.match(word.strip("[]'\""))
        if option and option[0] not in allowed:
            return f"redtune {name} has no option {option[0]}"
    return None


def faults(text, manual):
    return [f"{line}: redtune {' '.join(words)}: {why}" for line, words in commands(text) if (why := fault(words, manual))]


class PageCommands(unittest.TestCase):
    program = ""

    def test_exist(self):
        manual = manual_of(self.program)
        count, found = 0, []
        for page in links_test.pages(PROJECT):
            if page not in LEFT_OUT:
                text = page.read_text(encoding="utf-8")
                count += len(list(commands(text)))
                found += [f"{page.relative_to(PROJECT)}:{each}" for each in faults(text, manual)]
        self.assertEqual(found, [])
        self.assertGreater(count, 100)
        print(f"{count} commands", file=sys.stderr)

    def test_are_found_where_they_are_wrong(self):
        manual = {"tune": {"--op"}, "db": set(), "db list": {"--db"}}
        text = "`redtune tune --op\nsum` `redtune db list --db a.db`\n```sh\n./scripts/redtune tune --po sum   # --none\nredtune tuna | cat --no\n```\n`redtune db\nlist --all`\n"
        self.assertEqual(faults(text, manual), [
            "3: redtune tune --po sum: redtune tune has no option --po",
            "3: redtune tuna: there is no such command",
            "7: redtune db list --all: redtune db list has no option --all",
        ])


if __name__ == "__main__":
    PageCommands.program = sys.argv.pop(1)
    sys.exit(unittest.main())
