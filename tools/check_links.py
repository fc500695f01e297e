#!/usr/bin/python3
"""Checks that what the pages point at is there: relative links and images of every *.md file, and `make` targets.

usage: tools/check_links.py [ROOT]
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
MAKE = re.compile(r"`make ([a-z]+)[^`]*`")
TARGET = re.compile(r"^([a-z]+):", re.MULTILINE)


def pages(root):
    return sorted(root.glob("*.md")) + sorted(root.glob("docs/**/*.md")) + sorted(root.glob("examples/**/*.md"))


def findings(root):
    targets = set(TARGET.findall((root / "Makefile").read_text(encoding="utf-8")))
    for page in pages(root):
        name = page.relative_to(root)
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for link in LINK.findall(line):
                if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists():
                    yield f"{name}:{number}: '{link}' is not there"
            for target in MAKE.findall(line):
                if target not in targets:
                    yield f"{name}:{number}: the Makefile has no target '{target}'"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(findings(root))
    for finding in found:
        print(finding)
    print(f"links: {len(pages(root))} pages, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
