#!/usr/bin/env python3
"""Checks the links of all Markdown pages, without a network: each file exists, each anchor is a heading of its target by
GitHub's rules, and a page under docs/ is linked from another page. Addresses of the web are not opened."""

import collections
import functools
import pathlib
import re
import sys
import tempfile
import unittest
import urllib.parse

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1`*~* *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^()\s>]*)>?\s*\)")
MENTION = re.compile(r"(?<![\w/.-])(?:README|CONTRIBUTING|CHANGELOG|docs/[\w/-]+)\.md(?:#[\w-]+)?")
SOURCES = ("compare", "db", "examples", "kernels_src", "python", "scripts", "templates", "tuner")


def pages(root):
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])


def without_code_blocks(text):
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


@functools.cache
def anchors(page):
    """The anchors that GitHub gives to the page's headings; a repeated one gets a number."""
    result, seen = set(), collections.Counter()
    for heading in re.findall(r"^#{1,6} +(.*?)(?: +#+)? *$", without_code_blocks(page.read_text(encoding="utf-8")), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        result.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return result


def fault(root, folder, link):
    """What is wrong with a link of a page in the folder, or None."""
    path, _, anchor = urllib.parse.unquote(link).partition("#")
    target = (folder / path).resolve()
    if not target.is_relative_to(root):
        return "leaves the project"
    if not target.exists():
        return "there is no such file"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target)):
        return f"{target.relative_to(root)} has no heading #{anchor}"
    return None


def links(page):
    """The line and the target of each link to a file or a heading of the project."""
    # Code keeps its length and its lines, so that the line numbers stay right.
    text = CODE.sub(lambda code: re.sub(r"[^\n]", "`", code[0]), without_code_blocks(page.read_text(encoding="utf-8")))
    for link in LINK.finditer(text):
        if not re.match(r"[a-z]+:", link[1]):
            yield text.count("\n", 0, link.start()) + 1, link[1] or "(nothing)"


def faults_of_pages(root):
    linked = {root / "README.md"}
    result = []
    for page in pages(root):
        for line, link in links(page):
            folder = page if link.startswith("#") else page.parent
            why = fault(root, folder, link)
            if why:
                result.append(f"{page.relative_to(root)}:{line}: {link}: {why}")
            linked.add((page.parent / link.partition("#")[0]).resolve())
    for page in pages(root):
        # A link to a folder shows what is in it.
        if page not in linked and page.parent not in linked:
            result.append(f"{page.relative_to(root)}: no page links to it")
    return result


def faults_of_sources(root):
    """Pages that the sources and the messages of the program name."""
    result = []
    for file in sorted(file for folder in SOURCES for file in (root / folder).rglob("*") if file.is_file()):
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for mention in MENTION.finditer(text):
            why = fault(root, root, mention[0])
            if why:
                result.append(f"{file.relative_to(root)}:{text.count(chr(10), 0, mention.start()) + 1}: {mention[0]}: {why}")
    return result


class Links(unittest.TestCase):
    def test_of_pages(self):
        self.assertEqual(faults_of_pages(PROJECT), [])

    def test_of_sources(self):
        self.assertEqual(faults_of_sources(PROJECT), [])


class TheChecker(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return faults_of_pages(root) + faults_of_sources(root)

    def test_finds_what_is_missing(self):
        faults = self.check({
            "README.md": "# A\n[a](docs/a.md#none), [a\nb](none.md) [c](#b) [d](docs/a.md#a-1)\n[e](../e) [f]()\n",
            "docs/a.md": "# A\n",
            "docs/orphan.md": "# A\n",
            "tuner/a.cpp": "// see docs/a.md#none and docs/b.md\n",
        })
        self.assertEqual(faults, [
            "README.md:2: docs/a.md#none: docs/a.md has no heading #none",
            "README.md:2: none.md: there is no such file",
            "README.md:3: #b: README.md has no heading #b",
            "README.md:3: docs/a.md#a-1: docs/a.md has no heading #a-1",
            "README.md:4: ../e: leaves the project",
            "README.md:4: (nothing): there is no such file",
            "docs/orphan.md: no page links to it",
            "tuner/a.cpp:1: docs/a.md#none: docs/a.md has no heading #none",
            "tuner/a.cpp:1: docs/b.md: there is no such file",
        ])

    def test_takes_headings_as_github_does(self):
        self.assertEqual(self.check({
            "README.md": "# What is `x_y`: a, b?\n## Same\n## Same\n[a](#what-is-x_y-a-b) [b](#same) [c](#same-1) [d](docs)\n",
            "docs/a.md": "# A\n[up](../README.md#same-1) [web](https://example.com/#none)\n",
        }), [])

    def test_ignores_code(self):
        self.assertEqual(self.check({
            "README.md": "`[a](none)` ``[`a`](none)``\n\n```md\n# A\n[a](none)\n```\n[b](#b)\n\n# B\n",
        }), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
