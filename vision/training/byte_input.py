"""Let an 8-bit net take pictures as cameras give them: whole numbers, colours last.

``quantise_static`` leaves a net that wants floating-point numbers, colours first, and
that turns them into whole numbers at once. Both turns cost time and change nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

_STEP: Final = 1 / 255
"""What the net's input is quantised by, with zero at 0: pictures in 0..1 were bytes."""


def take_bytes(net: Path) -> None:
    """Replace an 8-bit ONNX file by one that gives the same answers for uint8, (N, H, W, 3).

    Args:
        net: The file, as ``quantise_static`` writes it.

    Raises:
        ValueError: Its input is quantised in another way than bytes are.
    """
    model = onnx.load(str(net))
    graph = model.graph
    name = graph.input[0].name
    rounding = next(node for node in graph.node if node.input[0] == name)
    values = {value.name: value for value in graph.initializer}
    if rounding.op_type != "QuantizeLinear" or not _is_of_bytes(values, rounding.input):
        raise ValueError(f"{net}: the input is not rounded to bytes, so it cannot take them")
    graph.node.remove(rounding)
    turned = helper.make_node("Transpose", [name], list(rounding.output), perm=[0, 3, 1, 2])
    graph.node.insert(0, turned)
    del graph.input[:], graph.value_info[:]
    shape = ["n", "height", "width", 3]
    graph.input.append(helper.make_tensor_value_info(name, onnx.TensorProto.UINT8, shape))
    onnx.checker.check_model(model)
    onnx.save(model, str(net))


def _is_of_bytes(values: dict[str, onnx.TensorProto], names: list[str]) -> bool:
    scale, zero = (numpy_helper.to_array(values[name]) for name in names[1:])
    return bool(np.isclose(scale, _STEP, rtol=1e-5)) and int(zero) == 0
