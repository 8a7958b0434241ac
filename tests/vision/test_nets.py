from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np
import pytest

from vision.errors import ModelError
from vision.naming import ModelSheet
from vision.nets import Net, load_sheet
from vision.reader import MODEL_PATH


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def test_a_net_answers_once_per_picture() -> None:
    net = Net(MODEL_PATH, hashlib.sha256(MODEL_PATH.read_bytes()).hexdigest())

    answer = net.run(np.zeros((3, 112, 80, 3), np.uint8))

    assert answer.shape == (3, 55)
    assert np.isfinite(answer).all()


def test_a_file_that_is_no_net_is_refused_though_its_checksum_fits(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"

    with pytest.raises(ModelError, match=r"net\.onnx cannot be run by onnxruntime"):
        Net(path, written(path, b"no net"))


def test_a_net_with_another_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    written(path, b"some net")

    with pytest.raises(ModelError, match=r"net\.onnx is damaged"):
        Net(path, "0" * 64)


def test_a_sheet_is_read_and_one_of_another_form_refused(tmp_path: Path) -> None:
    sheet = ModelSheet("0" * 64, 80, 112, 0.8, 0.6, 0.5)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(msgspec.json.encode(sheet))
    bad.write_text('{"width": "eighty"}')

    assert load_sheet(good, ModelSheet) == sheet
    with pytest.raises(ModelError, match=r"bad\.json does not describe"):
        load_sheet(bad, ModelSheet)
    with pytest.raises(ModelError, match=r"none\.json cannot be read"):
        load_sheet(tmp_path / "none.json", ModelSheet)
