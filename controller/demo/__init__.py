"""A whole table without hardware: real bytes, rendered pictures, a dealer who errs."""

from controller.demo.loop import play
from controller.demo.options import DemoOptions
from controller.demo.report import HandReport, RulingLine

__all__ = ["DemoOptions", "HandReport", "RulingLine", "play"]
