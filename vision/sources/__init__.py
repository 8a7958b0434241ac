"""Where frames come from."""

from vision.sources.frames import Frame, FrameSource
from vision.sources.rendered import RenderedSource

__all__ = ["Frame", "FrameSource", "RenderedSource"]
