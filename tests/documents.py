"""The documents as data: code spans, fenced blocks, tables, links and headings of Markdown files."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "systemd/README.md"])
SHELL = re.compile(r"#| (?:\|\||[|>&])(?: |$)")
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return [body for name, body in FENCE.findall(text_of(page)) if name == language]


def spans(page: Path) -> list[str]:
    """The code spans outside fenced blocks."""
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", text_of(page)))


def page_name(page: Path) -> str:
    """The name of a page in a test's own."""
    return str(page.relative_to(ROOT))


def commands(page: Path, program: str) -> list[str]:
    """The command lines of a program, in spans and shell blocks, without comments and what the shell does."""
    lines = [SHELL.split(line)[0].strip() for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in [*spans(page), *lines] if line == program or line.startswith(f"{program} ")]


def table(page: Path, first_column: str) -> list[list[str]]:
    """The rows of the first table whose heading begins with that column, code marks taken off."""
    lines = text_of(page).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().strip("`") for cell in line.strip().strip("|").split("|")])
    return rows


def links(text: str) -> list[str]:
    """The targets of links, within the repository and without."""
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(page: Path) -> set[str]:
    """What links to headings of a page may say behind the `#`."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def names_in(file: Path) -> set[str]:
    """Functions, classes and methods that a Python file defines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def imports_of(file: Path) -> set[str]:
    """The modules that a Python file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "hil":
            found |= {f"hil.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found
