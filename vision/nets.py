"""The nets of the recogniser: loaded only if they are the ones their sheet describes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as refusals

from vision.errors import ModelError

_REFUSALS: Final = (
    refusals.Fail,
    refusals.InvalidArgument,
    refusals.InvalidGraph,
    refusals.InvalidProtobuf,
    refusals.NotImplemented,
    refusals.RuntimeException,
)
"""What onnxruntime raises for a file that it cannot run; the types have no other common base."""

_Sheet = TypeVar("_Sheet", bound=msgspec.Struct)


class Net:
    """One net, ready to be asked.

    Args:
        path: The ONNX file.
        sha256: What its bytes must add up to, in hexadecimal.

    Raises:
        ModelError: The file is absent, damaged, of another version or cannot be run.
    """

    def __init__(self, path: Path, sha256: str) -> None:
        weights = file_bytes(path)
        if hashlib.sha256(weights).hexdigest() != sha256:
            raise ModelError(f"{path} is damaged or of another version: install it again")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(4, os.cpu_count() or 1)
        # Threads that wait by spinning would take the cores from the table's other work.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(weights, options)
        except _REFUSALS as error:
            raise ModelError(
                f"{path} cannot be run by onnxruntime {onnxruntime.__version__}"
            ) from error
        self._input = self._session.get_inputs()[0].name

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Ask the net.

        Args:
            pictures: Shape (N, height, width, 3), BGR.

        Returns:
            Its answer, first dimension N.
        """
        answer = self._session.run(None, {self._input: np.ascontiguousarray(pictures)})[0]
        return np.asarray(answer, dtype=np.float32)


def file_bytes(path: Path) -> bytes:
    """What is in a file of the recogniser.

    Raises:
        ModelError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"the recogniser's file {path} cannot be read: install it again"
        ) from error


def load_sheet(path: Path, kind: type[_Sheet]) -> _Sheet:
    """Read the sheet that belongs to a net.

    Raises:
        ModelError: It cannot be read or is of another form.
    """
    try:
        return msgspec.json.decode(file_bytes(path), type=kind)
    except msgspec.DecodeError as error:
        raise ModelError(f"{path} does not describe a recogniser: {error}") from error
