"""Where frames come from."""

from vision.sources.config import SourceConfig
from vision.sources.frames import Frame, FrameSource, ReadingSource
from vision.sources.health import HealthMonitor, SourceHealth, judge_picture
from vision.sources.images import IMAGE_SUFFIXES, read_image
from vision.sources.opening import open_source
from vision.sources.rendered import RenderedSource

__all__ = [
    "IMAGE_SUFFIXES",
    "Frame",
    "FrameSource",
    "HealthMonitor",
    "ReadingSource",
    "RenderedSource",
    "SourceConfig",
    "SourceHealth",
    "judge_picture",
    "open_source",
    "read_image",
]
