"""What can go wrong on the camera side, divided by blame.

VisionError
├── ModelError   the recogniser's weights are absent, damaged or of another version
├── ImageError   a file or an array is not an image that can be read
├── SourceError  a camera, stream or video gives no frames
└── ZonesError   the zones file or the markers do not describe the table
"""

from __future__ import annotations


class VisionError(Exception):
    """Base of everything this package raises on purpose."""


class ModelError(VisionError):
    """The recogniser cannot be loaded."""


class ImageError(VisionError):
    """Something given as an image is none."""


class SourceError(VisionError):
    """A source of frames is absent or has stopped."""


class ZonesError(VisionError):
    """The zones of the table are missing, wrong or cannot be found in the picture."""
