"""Shuffles: models of them, recorded orders of them, and the audit that compares the two.

``audit`` is the way in; ``docs/shuffle.md`` says what it asks and what it cannot see.
"""

from controller.shuffle.audit import Audit, Closest, Test, audit
from controller.shuffle.errors import ModelError, OrdersFileError, ShuffleError
from controller.shuffle.models import (
    UNIFORM,
    Kind,
    Model,
    greatest_excess,
    mean_class,
    parse_model,
    separation,
    total_variation,
)
from controller.shuffle.reading import Recording, read_orders
from controller.shuffle.simulation import simulate

__all__ = [
    "UNIFORM",
    "Audit",
    "Closest",
    "Kind",
    "Model",
    "ModelError",
    "OrdersFileError",
    "Recording",
    "ShuffleError",
    "Test",
    "audit",
    "greatest_excess",
    "mean_class",
    "parse_model",
    "read_orders",
    "separation",
    "simulate",
    "total_variation",
]
