"""The recogniser's network: a small convolutional net over one upright card."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import nn

INPUT_SIZE: Final = (80, 112)
"""Width and height of a rectified card as the net sees it, in pixels."""

CLASSES: Final = 55
"""53 faces in the order of CARD_LABELS, then a back, then what is no card."""

_WIDTHS: Final = ((3, 20, 2), (20, 40, 2), (40, 40, 1), (40, 72, 2), (72, 72, 1), (72, 112, 2))
"""Channels in, channels out and stride of each 3 x 3 convolution."""


def build_network() -> nn.Sequential:
    """A net from (N, 3, 112, 80) BGR in 0..1 to (N, CLASSES) logits."""
    layers: list[nn.Module] = []
    for inside, outside, stride in _WIDTHS:
        layers += [
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
        ]
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.15), nn.Linear(112 * 7 * 5, CLASSES))


def export(network: nn.Sequential, path: Path) -> None:
    """Write the net as ONNX, with a free batch size, for OpenCV to run."""
    network.eval()
    sample = torch.zeros(1, 3, INPUT_SIZE[1], INPUT_SIZE[0])
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        input_names=["cards"],
        output_names=["logits"],
        dynamic_axes={"cards": {0: "n"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    network.train()
