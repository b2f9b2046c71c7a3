"""MkDocs calls these functions when it builds the site. They add the pages that are not in docs/, and turn links to files
that are not on the site into text. scripts/build-docs sets REDTUNE_PROGRAM and REDTUNE_HEADERS, the folder of doxygen's pages.
"""

import os
import pathlib
import posixpath
import re
import subprocess

from mkdocs.structure.files import File

PROJECT = pathlib.Path(__file__).resolve().parent.parent
# Pages of the project's root by their names on the site.
ROOT_PAGES = {"index.md": "README.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md"}
HEADERS = """# The public headers

These pages are made of the headers' comments: [classes](../headers/annotated.html), [functions and
types](../headers/namespaceredtune.html), the [interface in C](../headers/redtune_8h.html), and [all
headers](../headers/files.html). [The library](../library.md) says how to link it and how to call a reduction.
"""
CODE_OR_LINK = re.compile(
    r"^ *(?P<fence>`{3,}).*?^ *(?P=fence) *$"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    r"|\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)", re.MULTILINE | re.DOTALL)


def commands_page(manual):
    """The manual page of the program as Markdown: a table of options for each command."""
    text = re.sub(r"\\f[BI](.*?)\\fR", r"`\1`", manual.partition(".SH COMMANDS\n")[2])
    text = text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")
    page = "# Commands\n"
    for part in re.split(r"^\.S[SH] ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        page += "\n## " + title.strip('"').capitalize().replace("Redtune", "redtune") + "\n"
        about, *options = body.split(".TP\n")
        page += "\n" + about.replace(".PP\n", "\n")
        if options:
            page += "\n| argument | meaning |\n|---|---|\n"
        for option in options:
            name, _, meaning = option.partition("\n")
            page += "| {} | {} |\n".format(name.replace("` `", " "), " ".join(meaning.split()).replace("|", "\\|"))
    return page


def results_page():
    page = "# Results on an H200\n\n"
    folder = PROJECT / "docs/results"
    for file in sorted(folder.glob("*.md")):
        page += "- [{}]({})\n".format(file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# "), file.name)
    figures = [f"[{file.name}]({file.name})" for file in sorted(folder.glob("*.csv"))]
    return f"{page}\nThe figures as csv: {', '.join(figures)}.\n"


def on_files(files, config):
    for name, source in ROOT_PAGES.items():
        files.append(File.generated(config, name, content=(PROJECT / source).read_text(encoding="utf-8")))
    manual = subprocess.run([os.environ["REDTUNE_PROGRAM"], "man"], capture_output=True, text=True, check=True).stdout
    files.append(File.generated(config, "reference/commands.md", content=commands_page(manual)))
    files.append(File.generated(config, "reference/headers.md", content=HEADERS))
    files.append(File.generated(config, "results/index.md", content=results_page()))
    headers = pathlib.Path(os.environ["REDTUNE_HEADERS"])
    for file in sorted(file for file in headers.rglob("*") if file.is_file()):
        files.append(File.generated(config, f"headers/{file.relative_to(headers)}", abs_src_path=str(file)))
    return files


def on_page_markdown(markdown, page, config, files):
    site_of = {source: name for name, source in ROOT_PAGES.items()} | {"docs/results": "results/index.md"}
    here = page.file.src_uri
    source = ROOT_PAGES.get(here, f"docs/{here}")

    def rewritten(match):
        target = match["target"]
        if not target or re.match(r"[a-z]+:|#", target):
            return match[0]
        path, hash_, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        on_site = site_of.get(path, path.removeprefix("docs/"))
        if (path in site_of or path.startswith("docs/")) and files.get_file_from_path(on_site):
            return f"[{match['text']}]({posixpath.relpath(on_site, posixpath.dirname(here) or '.')}{hash_}{anchor})"
        if not (PROJECT / path).exists():
            return match[0]  # of a page that is made here, or wrong: MkDocs checks it
        return f"`{path}`" if match["text"].strip("`") in path else f"{match['text']} (`{path}`)"

    return CODE_OR_LINK.sub(rewritten, markdown)
