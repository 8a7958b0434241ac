"""The two nets that read corner indices: one finds them in a picture, one names each."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.corners import CROP_SIZE, FINDER_CHANNELS, RANK_CLASSES
from vision.values import SUITS


class IndexFinder(nn.Module):  # type: ignore[misc]  # lint has no torch, so it is Any
    """From (N, 3, H, W) BGR in 0..1, H and W multiples of 8, to (N, 6, H/4, W/4)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_block(3, 12, 2), _block(12, 24, 2), _block(24, 24))
        self.deep = nn.Sequential(
            _block(24, 48, 2), _block(48, 48), _block(48, 48), _block(48, 48), _block(48, 48)
        )
        self.narrow = nn.Conv2d(48, 24, 1)
        self.join = _block(24, 32)
        self.head = nn.Conv2d(32, FINDER_CHANNELS, 1)
        with torch.no_grad():
            self.head.bias[0] = -4.6  # one cell in a hundred: what is usual at the start

    def forward(self, pictures: Tensor) -> Tensor:
        """What is where, cell by cell."""
        near = self.stem(pictures)
        far = functional.interpolate(self.narrow(self.deep(near)), scale_factor=2.0)
        answer: Tensor = self.head(self.join(near + far))
        return answer


class IndexNamer(nn.Module):  # type: ignore[misc]  # lint has no torch, so it is Any
    """From (N, 3, 48, 32) BGR in 0..1, upright, to (N, 18) logits: ranks, then suits."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _block(3, 16),
            _block(16, 32, 2),
            _block(32, 32),
            _block(32, 64, 2),
            _block(64, 64),
            _block(64, 64, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 6 * 4, RANK_CLASSES + len(SUITS)),
        )

    def forward(self, crops: Tensor) -> Tensor:
        """Ranks and suits as logits."""
        answer: Tensor = self.layers(crops)
        return answer


def _block(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


def export_finder(network: IndexFinder, path: Path) -> None:
    """Write the finding net as ONNX, with free width and height, for OpenCV to run."""
    axes = {0: "n", 2: "height", 3: "width"}
    _export(network, torch.zeros(1, 3, 128, 128), path, ("picture", "found"), axes)


def export_namer(network: IndexNamer, path: Path) -> None:
    """Write the naming net as ONNX, with a free batch size, for OpenCV to run."""
    sample = torch.zeros(1, 3, CROP_SIZE[1], CROP_SIZE[0])
    _export(network, sample, path, ("indices", "logits"), {0: "n"})


def _export(
    network: nn.Module, sample: Tensor, path: Path, names: tuple[str, str], axes: dict[int, str]
) -> None:
    network.eval()
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=dict.fromkeys(names, axes),
        opset_version=17,
        dynamo=False,
    )
    network.train()
