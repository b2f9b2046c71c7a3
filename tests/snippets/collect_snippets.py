#!/usr/bin/env python3
"""Writes a C++ program of all blocks of C++ and C in README.md and docs/: it compiles and links only if all of them do.

Usage: collect_snippets.py FILE
Each block becomes a function, in which the names that the page leaves out are declared before it; blocks of declarations stay
as they are. The program runs the functions that need no GPU.
"""

import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(cpp|c)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
# The names that blocks use and do not declare, in an order in which each declaration uses only earlier names.
GIVEN = {
    "n": "std::uint64_t n = 32 << 20;",
    "problem": 'const auto problem = redtune::make_problem("sum", redtune::Type::f32);',
    "catalog": "redtune::Catalog catalog = redtune::Catalog::open();",
    "sum": "redtune::Reducer sum(problem);",
    "input": "const float* input = nullptr;",
    "x": "const float* x = nullptr;",
    "y": "const float* y = nullptr;",
    "output": "float* output = nullptr;",
    "workspace": "void* workspace = nullptr;",
    "stream": "redtune::Stream stream = nullptr;",
    "largest_gap": 'const char* largest_gap = "";',
}
NEEDS_GPU = re.compile(r"\bReducer\b|\bsum\.|\bredtune::tune\b|\bcuda|\bfast_sum\b")


def pages():
    return [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]


def blocks(page):
    """The line, the language and the text of each block of a page."""
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield text.count("\n", 0, block.start()) + 2, block[1], block[2]


def is_declaration(language, text):
    return language == "c" or text.startswith("namespace")


def defined(text):
    """The block of declarations with a value for each constant and a body for each function, so that it links."""
    text = re.sub(r"\bconstexpr \w+ [^;]+;", lambda constants: re.sub(r"([,;])", r" = 0\1", constants[0]), text)
    return re.sub(r"\);", ") { return {}; }", text)


def function(name, text):
    """The block as a function. Its includes are those of given.h."""
    body = re.sub(r"^#include .*\n", "", text, flags=re.MULTILINE)
    code = TEXT_OR_COMMENT.sub("", body)
    names = {name for name in GIVEN if re.search(rf"(?<![\w.>:]){name}\b", code)}
    if "sum" in names:
        names.add("problem")
    given = {name: declaration for name, declaration in GIVEN.items() if name in names}
    if "DeviceCount{n" in code:
        given["n"] = "const std::uint64_t* n = nullptr;"
    # The block is a scope of its own, so that it may declare these names again.
    return f"void {name}() {{\n{chr(10).join(given.values())}\n{{\n{body}}}\n}}\n"


def program():
    declarations, functions, runs = [], [], []
    for page in pages():
        for line, language, text in blocks(page):
            place = f'#line {line} "{page}"\n'
            if is_declaration(language, text):
                declarations.append(place + defined(text))
                continue
            name = re.sub(r"\W", "_", f"{page.relative_to(PROJECT)}_{line}")
            functions.append(place + function(name, text))
            needs_gpu = NEEDS_GPU.search(TEXT_OR_COMMENT.sub("", text))
            # An address is enough for the linker.
            runs.append(f"    static_cast<void>(&{name});\n" if needs_gpu else f"    {name}();\n")
    return ('#include "tests/snippets/given.h"\n\n' + "\n".join(declarations) + "\nnamespace {\n\n" + "\n".join(functions) +
            "\n}  // namespace\n\n#line 1 \"main\"\nint main() {\n" + "".join(runs) + "}\n")


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(program(), encoding="utf-8")
