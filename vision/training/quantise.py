"""Bring a trained net to 8-bit whole numbers: half the time, a quarter of the size."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.training.byte_input import take_bytes


def quantise(net: Path, input_name: str, pictures: list[NDArray[np.uint8]]) -> None:
    """Replace an ONNX file by its 8-bit form, which takes pictures as bytes, colours last.

    Weights keep to seven bits, so that processors that add up pairs of products
    in 16 bits, which have no VNNI, come to the same answer as those that do not.

    Args:
        net: The file.
        input_name: Of the net's input.
        pictures: Batches of pictures, shape (N, height, width, 3), that show how large
            the values inside the net become.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / net.name
        quant_pre_process(str(net), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(net),
            _Pictures(input_name, pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    take_bytes(net)


class _Pictures(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime ships no types
    """Gives the pictures one batch after the other."""

    def __init__(self, name: str, pictures: list[NDArray[np.uint8]]) -> None:
        self._blobs = _blobs(name, pictures)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        """The next batch under the input's name; None after the last."""
        return next(self._blobs, None)


def _blobs(
    name: str, pictures: list[NDArray[np.uint8]]
) -> Iterator[dict[str, NDArray[np.float32]]]:
    for batch in pictures:
        blob = np.ascontiguousarray(batch.transpose(0, 3, 1, 2), dtype=np.float32)
        yield {name: blob * np.float32(1 / 255)}
