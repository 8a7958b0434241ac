"""Train the two corner nets, in the same loop and from the same pictures.

A stopped run is taken up where it left off.
"""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.artwork import BACK_COLOURS, draw_back
from vision.corners import CORNERS_SHEET, RANK_CLASSES, CornersSheet
from vision.training.corner_batches import FinderBatch, NamerBatch, draw_batch
from vision.training.corner_network import IndexFinder, IndexNamer, export_finder, export_namer
from vision.training.decks import BACK, Deck, Face, fitted, load_decks
from vision.training.plan import Plan, say
from vision.training.quantise import quantise
from vision.training.reindexed import reindexed_decks
from vision.training.spreads import Spreads

_BATCH: Final = 16
_SAVE_EVERY: Final = 200
_PEAK_RATE: Final = 2.5e-3
_HELD_OUT_SEED: Final = 999_983
_HELD_OUT_BATCHES: Final = 20
_PRESENT: Final = 0.3
"""Finds below this score are not named; chosen on photographs for development."""

_REINDEXED: Final = 24
"""Decks with other indices beside those of the artwork."""

_APART: Final = 40
"""About so many other batches come between the two times that one is shown."""

_MOST_CROPS: Final = 200
"""Indices learnt from per step: more cost time and help little."""

Batch = tuple[FinderBatch, NamerBatch]


def train_corners(plan: Plan) -> None:
    """Train both corner nets and write them with their sheet.

    Args:
        plan: What to train on, how long, and where to.

    Raises:
        FileNotFoundError: None of the decks that may be used is there.
        ModuleNotFoundError: A package of the ``train`` extra is absent.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    lessons = (
        Lesson("finder", IndexFinder(), plan.finder_steps),
        Lesson("namer", IndexNamer(), plan.namer_steps),
    )
    checkpoint = plan.out / "corners.pt"
    first = _resumed(lessons, checkpoint)
    decks, backs = collect(plan.artwork, plan.seed)
    started, sums = time.monotonic(), np.zeros(3)
    drawn = _batches(decks, backs, plan, first)
    steps = range(first + 1, plan.namer_steps + 1)
    for step, batch in zip(steps, _shown_twice(drawn, first), strict=False):
        sums += _learn(lessons, step, batch, plan.bf16)
        if step % 50 == 0:
            pace = (time.monotonic() - started) / (step - first)
            told = " ".join(f"{value:.3f}" for value in sums / 50)
            say(f"step {step}/{plan.namer_steps} loss {told} {pace:.2f} s/step")
            sums[:] = 0
        if step % _SAVE_EVERY == 0 or step == plan.namer_steps:
            _save(lessons, step, checkpoint)
            export_finder(lessons[0].network, plan.out / "finder.onnx")
            export_namer(lessons[1].network, plan.out / "indices.onnx")
    spreads = Spreads(decks, backs, _HELD_OUT_SEED)
    quantise_corners(spreads, plan.out)
    _write_sheet(lessons[1], spreads, plan.out)


def quantise_corners(spreads: Spreads, out: Path) -> None:
    """Bring both corner nets to 8 bits.

    Args:
        spreads: Where pictures come from that show how large values become.
        out: Folder with both ONNX files.
    """
    rng = np.random.default_rng(_HELD_OUT_SEED)
    finder, namer = draw_batch(spreads, _BATCH, rng)
    quantise(out / "finder.onnx", "picture", list(np.split(finder.pictures, _BATCH)))
    quantise(out / "indices.onnx", "indices", np.array_split(namer.crops, _BATCH))


class Lesson:
    """One net, its optimiser and for how many steps it learns.

    Args:
        name: Under which it is saved.
        network: The net.
        steps: After so many it is left as it is.
    """

    def __init__(self, name: str, network: nn.Module, steps: int) -> None:
        self.name = name
        self.network = network.to(memory_format=torch.channels_last)
        self.steps = steps
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=_PEAK_RATE, weight_decay=1e-2)

    def ask(self, pictures: NDArray[np.uint8], bf16: bool) -> Tensor:
        """The net's answer for pictures of shape (N, height, width, 3)."""
        blob = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
            answer: Tensor = self.network(blob.contiguous(memory_format=torch.channels_last))
        return answer.float()

    def learn(self, loss: Tensor, step: int) -> None:
        """One step, at the rate that belongs to it."""
        for group in self.optimiser.param_groups:
            group["lr"] = _rate(step, self.steps)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()


def _learn(
    lessons: tuple[Lesson, Lesson], step: int, batch: Batch, bf16: bool
) -> tuple[float, float, float]:
    """One step of both nets; returns the losses of presence, values and names."""
    (finding, naming), (spread, indices) = lessons, batch
    presence = values = torch.zeros(())
    if step <= finding.steps:
        presence, values = finder_losses(finding.ask(spread.pictures, bf16), spread)
        finding.learn(presence + values, step)
    names = namer_loss(naming.ask(indices.crops, bf16), indices)
    naming.learn(names, step)
    return presence.item(), values.item(), names.item()


def collect(artwork: Path, seed: int) -> tuple[list[Deck], list[Face]]:
    """Decks and backs to train on.

    Args:
        artwork: Folder with one folder per deck.
        seed: Of the decks with other indices.
    """
    decks = load_decks(artwork)
    backs = [face for deck in decks for face in deck.faces.get(BACK, [])]
    backs += [fitted(draw_back(colour, 320)) for colour in BACK_COLOURS]
    return decks + reindexed_decks(decks, _REINDEXED, seed), backs


def finder_losses(found: Tensor, batch: FinderBatch) -> tuple[Tensor, Tensor]:
    """Loss of presence (focal, as for centre points) and of the values told."""
    target, weight = torch.from_numpy(batch.target), torch.from_numpy(batch.weight)
    present = target[:, 0]
    share = torch.sigmoid(found[:, 0]).clamp(1e-5, 1 - 1e-5)
    is_middle = (present == 1).float()
    hit = -is_middle * (1 - share) ** 2 * torch.log(share)
    miss = -(1 - is_middle) * (1 - present) ** 4 * share**2 * torch.log(1 - share)
    count = is_middle.sum().clamp(min=1)
    presence = ((hit + miss) * weight[:, 0]).sum() / count
    off = functional.smooth_l1_loss(found[:, 1:], target[:, 1:], beta=0.1, reduction="none")
    scale = torch.tensor([0.5, 0.5, 1.0, 1.0, 1.0])[None, :, None, None]
    values = (off * scale * weight[:, 1:2]).sum() / weight[:, 1].sum().clamp(min=1)
    return presence, values


def namer_loss(named: Tensor, batch: NamerBatch) -> Tensor:
    """Loss of rank and suit; where there is no index, of the rank alone."""
    ranks, suits = torch.from_numpy(batch.ranks), torch.from_numpy(batch.suits)
    rank = functional.cross_entropy(named[:, :RANK_CLASSES], ranks, label_smoothing=0.01)
    suit = functional.cross_entropy(named[:, RANK_CLASSES:], suits, ignore_index=-1)
    return rank + suit


def _resumed(lessons: tuple[Lesson, Lesson], checkpoint: Path) -> int:
    """Take up a stopped run; returns how many steps it had done."""
    if not checkpoint.exists():
        return 0
    saved = torch.load(checkpoint, weights_only=True)
    for lesson in lessons:
        lesson.network.load_state_dict(saved[lesson.name])
        lesson.optimiser.load_state_dict(saved[f"{lesson.name}_optimiser"])
    return int(saved["step"])


def _save(lessons: tuple[Lesson, Lesson], step: int, checkpoint: Path) -> None:
    """Write the checkpoint so that a kill at any moment leaves the old or the new one."""
    states: dict[str, object] = {"step": step}
    for lesson in lessons:
        states[lesson.name] = lesson.network.state_dict()
        states[f"{lesson.name}_optimiser"] = lesson.optimiser.state_dict()
    torch.save(states, checkpoint.with_suffix(".new"))
    checkpoint.with_suffix(".new").replace(checkpoint)


def _rate(step: int, steps: int) -> float:
    """Learning rate: up over the first 150 steps, then down to zero as a half cosine."""
    warm = min(1.0, step / 150)
    return _PEAK_RATE * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))


def _produce(
    decks: list[Deck], backs: list[Face], seeds: list[int], queue: multiprocessing.Queue[Batch]
) -> None:
    for seed in seeds:
        queue.put(draw_batch(Spreads(decks, backs, seed), _BATCH, np.random.default_rng(seed)))


def _batches(decks: list[Deck], backs: list[Face], plan: Plan, first: int) -> Iterator[Batch]:
    """Batches drawn in other processes; batch n depends on the seed and n alone."""
    context = multiprocessing.get_context("fork")
    # Two steps are made of each batch.
    seeds = [plan.seed * 1_000_000 + n for n in range(first // 2, -(-plan.namer_steps // 2))]
    queues: list[multiprocessing.Queue[Batch]] = []
    for number in range(plan.workers):
        queue: multiprocessing.Queue[Batch] = context.Queue(6)
        work = (decks, backs, seeds[number :: plan.workers], queue)
        context.Process(target=_produce, args=work, daemon=True).start()
        queues.append(queue)
    for number in range(len(seeds)):
        yield queues[number % plan.workers].get()


def _shown_twice(drawn: Iterator[Batch], seed: int) -> Iterator[Batch]:
    """Each batch twice, in other light and some way apart: drawing costs more than learning."""
    rng = np.random.default_rng(seed)
    shown: list[Batch] = []
    for batch in drawn:
        shown.append(batch)
        yield _other_light(batch, rng)
        if len(shown) > _APART:
            yield _other_light(shown.pop(int(rng.integers(0, _APART))), rng)
    for batch in shown:
        yield _other_light(batch, rng)


def _other_light(batch: Batch, rng: np.random.Generator) -> Batch:
    """The batch with every picture's colours scaled, and some of the indices."""
    finder, namer = batch
    taken = rng.permutation(len(namer.crops))[:_MOST_CROPS]
    lit = FinderBatch(_scaled(finder.pictures, rng), finder.target, finder.weight)
    crops = _scaled(namer.crops[taken], rng)
    return lit, NamerBatch(crops, namer.ranks[taken], namer.suits[taken])


def _scaled(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    gain = rng.uniform(0.75, 1.25, (len(pictures), 1, 1, 1)) * rng.normal(
        1, 0.04, (len(pictures), 1, 1, 3)
    )
    scaled = pictures * gain.astype(np.float32)
    return np.asarray(np.clip(scaled, 0, 255), dtype=np.uint8)


def _write_sheet(naming: Lesson, spreads: Spreads, out: Path) -> None:
    """Put beside the nets what the reader must know, and say how well the naming net does."""
    naming.network.eval()
    rng = np.random.default_rng(_HELD_OUT_SEED)
    batches = [draw_batch(spreads, _BATCH, rng)[1] for _ in range(_HELD_OUT_BATCHES)]
    with torch.no_grad():
        named = torch.cat([naming.ask(batch.crops, bf16=False) for batch in batches])
    held_out = NamerBatch(
        np.concatenate([b.crops for b in batches]),
        np.concatenate([b.ranks for b in batches]),
        np.concatenate([b.suits for b in batches]),
    )
    losses = {
        temperature: namer_loss(named / temperature, held_out).item()
        for temperature in (round(0.5 + 0.02 * step, 2) for step in range(76))
    }
    temperature = min(losses, key=losses.__getitem__)
    right = _right(named.numpy(), held_out)
    say(f"{right:.4f} of {len(held_out.ranks)} held-out indices right; temperature {temperature}")
    sheet = CornersSheet(
        finder_sha256=hashlib.sha256((out / "finder.onnx").read_bytes()).hexdigest(),
        namer_sha256=hashlib.sha256((out / "indices.onnx").read_bytes()).hexdigest(),
        present=_PRESENT,
        temperature=temperature,
    )
    data = msgspec.json.format(msgspec.json.encode(sheet), indent=2)
    (out / CORNERS_SHEET).write_bytes(data + b"\n")


def _right(named: NDArray[np.float32], batch: NamerBatch) -> float:
    """Share of indices whose rank and suit are right, or that are rightly called none."""
    ranks, suits = named[:, :RANK_CLASSES].argmax(axis=1), named[:, RANK_CLASSES:].argmax(axis=1)
    is_right = (ranks == batch.ranks) & ((suits == batch.suits) | (batch.suits < 0))
    return float(is_right.mean())
