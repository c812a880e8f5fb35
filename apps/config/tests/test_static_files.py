"""The static files are collected once for each version of them: compressed, named by what is in them, styles in one."""

import gzip
import json
from pathlib import Path

import pytest

from apps.config.static_files import STAMP, collect_static
from apps.web.styles import BUNDLE, STYLE_SHEETS

ROOT = Path(__file__).resolve().parents[3]
STORAGES = {"staticfiles": {"BACKEND": "apps.web.styles.BundledStorage"}}


@pytest.fixture
def folder(tmp_path, settings):
    settings.STATIC_ROOT = str(tmp_path / "static")
    settings.STORAGES = {**settings.STORAGES, **STORAGES}
    return tmp_path / "static"


def test_the_style_sheets_of_every_page_are_one_file_in_their_order(folder):
    collect_static(folder)

    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    whole = (folder / names[BUNDLE]).read_text()
    first_lines = [(ROOT / "static" / name).read_text().strip()[:60] for name in STYLE_SHEETS]
    places = [whole.find(line) for line in first_lines]
    assert -1 not in places
    assert places == sorted(places)
    assert gzip.decompress((folder / f"{names[BUNDLE]}.gz").read_bytes()).decode() == whole


def test_the_fonts_that_the_joined_sheet_names_are_there(folder):
    collect_static(folder)

    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    whole = (folder / names[BUNDLE]).read_text()
    assert f"../{names['fonts/headroom-sans-400.woff2']}" in whole


def test_they_are_collected_once_and_again_when_one_of_them_changed(folder, tmp_path, settings):
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "note.js").write_text("1;")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, extra]
    did = [collect_static(folder), collect_static(folder)]
    (extra / "note.js").write_text("2;")
    did.append(collect_static(folder))

    assert did == [True, False, True]
    assert len(list(folder.glob("note.*.js"))) == 1  # that of the earlier version is gone


def test_a_folder_that_was_left_half_collected_is_made_anew(folder):
    collect_static(folder)
    (folder / STAMP).unlink()
    (folder / "css/left-over.css").write_text("")

    assert collect_static(folder)
    assert not (folder / "css/left-over.css").exists()
