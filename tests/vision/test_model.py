from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from vision.errors import ModelError
from vision.reader import MODEL_PATH, CardReader

MODEL_FILES = ("cards.onnx", "cards.json", "finder.onnx", "indices.onnx", "corners.json")
TEN_MEGABYTES = 10 * 1024 * 1024


@pytest.fixture
def model(tmp_path: Path) -> Path:
    for name in MODEL_FILES:
        shutil.copy(MODEL_PATH.parent / name, tmp_path)
    return tmp_path / "cards.onnx"


def test_a_copy_of_the_model_loads(model: Path) -> None:
    assert isinstance(CardReader.load(model), CardReader)


def test_the_nets_together_stay_below_ten_megabytes() -> None:
    assert sum(file.stat().st_size for file in MODEL_PATH.parent.iterdir()) < TEN_MEGABYTES


def test_one_changed_byte_is_noticed(model: Path) -> None:
    data = bytearray(model.read_bytes())
    data[len(data) // 2] ^= 1
    model.write_bytes(data)

    with pytest.raises(ModelError, match=r"cards\.onnx is damaged"):
        CardReader.load(model)


@pytest.mark.parametrize("absent", [".onnx", ".json"])
def test_an_absent_file_is_named(model: Path, absent: str) -> None:
    model.with_suffix(absent).unlink()

    with pytest.raises(ModelError, match=rf"cards\{absent} cannot be read"):
        CardReader.load(model)


def test_a_sheet_that_is_none_is_refused(model: Path) -> None:
    model.with_suffix(".json").write_text("{}")

    with pytest.raises(ModelError, match="does not describe"):
        CardReader.load(model)
