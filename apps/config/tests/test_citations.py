"""What code and documents cite is in the repository: a clone has all that is needed to understand it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TREES = ("apps", "worker", "testing", "benchmarks", "docs", "templates")
SUFFIXES = {".py", ".md", ".html", ".yaml"}


def test_every_document_that_is_cited_is_there():
    texts = [path for tree in TREES for path in (ROOT / tree).rglob("*") if path.suffix in SUFFIXES]
    documents = {path.name for path in [*ROOT.glob("*.md"), *texts] if path.suffix == ".md"}
    cited = {
        (name, str(path.relative_to(ROOT)))
        for path in [*ROOT.glob("*.md"), *texts]
        for name in re.findall(r"[\w-]+\.md\b", path.read_text())
    }

    assert {"method.md", "architecture.md"} <= {name for name, _ in cited}
    assert [place for place in sorted(cited) if place[0] not in documents] == []
