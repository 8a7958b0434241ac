"""Train the whole-card net; a stopped run is taken up where it left off."""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.naming import ModelSheet
from vision.training.decks import Faces, load_faces
from vision.training.network import INPUT_SIZE, build_network, export
from vision.training.plan import Plan, say
from vision.training.quantise import quantise
from vision.training.scenes import Scenes

_BATCH = 96
_SAVE_EVERY = 250
_PEAK_RATE = 2.5e-3
_HELD_OUT_SEED = 999_983
"""Seed of the pictures that are only measured on; far from those of training."""

_SURE = 0.6
"""Faces below this confidence are given as unknown; chosen on photographs for development."""

_IS_CARD = 0.5

Batch = tuple[NDArray[np.float32], NDArray[np.int64]]


def train_cards(plan: Plan) -> None:
    """Train the whole-card net and write it with its sheet.

    Args:
        plan: What to train on, how long, and where to.

    Raises:
        FileNotFoundError: None of the decks that may be used is there.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    faces = load_faces(plan.artwork)
    network = build_network()
    optimiser = torch.optim.AdamW(network.parameters(), lr=_PEAK_RATE, weight_decay=1e-2)
    checkpoint = plan.out / "checkpoint.pt"
    first = 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        first = saved["step"]
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
    started, loss_sum = time.monotonic(), 0.0
    for step, (pictures, labels) in enumerate(_batches(faces, plan, first), start=first + 1):
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, plan.card_steps)
        logits = network(torch.from_numpy(pictures))
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(labels), label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        loss_sum += loss.item()
        if step % 50 == 0:
            pace = (time.monotonic() - started) / (step - first)
            say(f"step {step}/{plan.card_steps} loss {loss_sum / 50:.3f} {pace:.2f} s/step")
            loss_sum = 0.0
        if step % _SAVE_EVERY == 0 or step == plan.card_steps:
            states = {"network": network, "optimiser": optimiser}
            torch.save(
                {"step": step, **{name: part.state_dict() for name, part in states.items()}},
                checkpoint,
            )
            export(network, plan.out / "cards.onnx")
            right = _measure(network, faces)
            say(f"step {step}: {right:.4f} of the held-out rendered cards right")
    pictures, _ = Scenes(faces, _HELD_OUT_SEED + 2).batch(256)
    shown = np.clip(pictures.transpose(0, 2, 3, 1) * 255, 0, 255).astype(np.uint8)
    quantise(plan.out / "cards.onnx", "cards", np.array_split(shown, 16))
    _write_sheet(network, faces, plan.out / "cards.onnx")


def _write_sheet(network: nn.Sequential, faces: Faces, model: Path) -> None:
    """Put beside the model what the reader must know: checksum, input, temperature, limits."""
    pictures, labels = Scenes(faces, _HELD_OUT_SEED + 1).batch(1500)
    network.eval()
    with torch.no_grad():
        logits = network(torch.from_numpy(pictures))
    losses = {
        temperature: nn.functional.cross_entropy(
            logits / temperature, torch.from_numpy(labels)
        ).item()
        for temperature in (round(0.4 + 0.02 * step, 2) for step in range(80))
    }
    temperature = min(losses, key=losses.__getitem__)
    sheet = ModelSheet(
        sha256=hashlib.sha256(model.read_bytes()).hexdigest(),
        width=INPUT_SIZE[0],
        height=INPUT_SIZE[1],
        temperature=temperature,
        sure=_SURE,
        is_card=_IS_CARD,
    )
    data = msgspec.json.format(msgspec.json.encode(sheet), indent=2)
    model.with_suffix(".json").write_bytes(data + b"\n")
    say(f"temperature {temperature}, log loss {losses[temperature]:.4f}")


def _rate(step: int, steps: int) -> float:
    """Learning rate: up over the first 120 steps, then down to zero as a half cosine."""
    warm = min(1.0, step / 120)
    return _PEAK_RATE * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))


def _produce(faces: Faces, seeds: list[int], queue: multiprocessing.Queue[Batch]) -> None:
    for seed in seeds:
        queue.put(Scenes(faces, seed).batch(_BATCH))


def _batches(faces: Faces, plan: Plan, first: int) -> Iterator[Batch]:
    """Batches drawn in a second process; batch n depends on the seed and n alone."""
    context = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[Batch] = context.Queue(8)
    seeds = [plan.seed * 1_000_000 + step for step in range(first, plan.card_steps)]
    worker = context.Process(target=_produce, args=(faces, seeds, queue), daemon=True)
    worker.start()
    for _ in seeds:
        yield queue.get()
    worker.join()


def _measure(network: nn.Sequential, faces: Faces) -> float:
    pictures, labels = Scenes(faces, _HELD_OUT_SEED).batch(600)
    network.eval()
    with torch.no_grad():
        guesses = network(torch.from_numpy(pictures)).argmax(dim=1).numpy()
    network.train()
    return float((guesses == labels).mean())
