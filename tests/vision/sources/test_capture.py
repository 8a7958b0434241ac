"""Cameras, streams and videos: a faked camera, a real HTTP stream, a real file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from vision.errors import SourceError
from vision.sources import RenderedSource, SourceConfig, open_source
from vision.sources.capture import StreamSource

GREY = np.full((48, 64, 3), 90, np.uint8)


def faked_camera(mocker: MockerFixture, *reads: tuple[bool, object]) -> object:
    capture = mocker.patch("cv2.VideoCapture").return_value
    capture.isOpened.return_value = True
    capture.read.side_effect = list(reads)
    return capture


def test_a_camera_gives_numbered_frames_and_is_let_go(mocker: MockerFixture) -> None:
    capture = mocker.patch("cv2.VideoCapture").return_value
    capture.isOpened.return_value = True
    capture.read.return_value = (True, GREY)

    with open_source("camera:3") as source:
        numbers = [frame.number for frame in (source.read(), source.read()) if frame]
    assert numbers == [0, 1]
    cv2.VideoCapture.assert_called_once_with(3)  # type: ignore[attr-defined] # patched above
    capture.release.assert_called_once_with()


def test_exposure_and_focus_can_be_fixed(mocker: MockerFixture) -> None:
    capture = mocker.patch("cv2.VideoCapture").return_value
    capture.isOpened.return_value = True

    open_source(SourceConfig("camera:0", exposure=120.0, focus=30.0))
    asked = {call.args for call in capture.set.call_args_list}
    assert {(cv2.CAP_PROP_EXPOSURE, 120.0), (cv2.CAP_PROP_FOCUS, 30.0)} <= asked
    assert {(cv2.CAP_PROP_AUTO_EXPOSURE, 1.0), (cv2.CAP_PROP_AUTOFOCUS, 0)} <= asked


def test_an_absent_camera_is_said(mocker: MockerFixture) -> None:
    mocker.patch("cv2.VideoCapture").return_value.isOpened.return_value = False

    with pytest.raises(SourceError, match="camera 7 does not open; plug it in"):
        open_source("camera:7")


def test_a_camera_pulled_out_is_said(mocker: MockerFixture) -> None:
    faked_camera(mocker, (True, GREY), (False, None))
    source = open_source("camera:0")
    source.read()

    with pytest.raises(SourceError, match="camera 0 has stopped"):
        source.read()


@pytest.mark.parametrize("spec", ["camera:", "camera:front", "nothing.mp4", "", "ftp://x/y"])
def test_what_names_no_source_is_refused(spec: str) -> None:
    with pytest.raises(SourceError, match="camera:0"):
        open_source(spec)


def test_a_video_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for level in (20, 120, 220):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()

    with open_source(str(path)) as source:
        frames = list(source)
    assert [f.at_s for f in frames] == pytest.approx([0.0, 0.05, 0.1])
    assert [float(f.image.mean()) for f in frames] == pytest.approx([20, 120, 220], abs=4)


def test_a_file_that_is_no_video_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.mp4"
    path.write_bytes(b"these are words" * 100)

    with pytest.raises(SourceError, match=r"table\.mp4 is not a video"):
        open_source(str(path))
    assert capfd.readouterr().err == ""


class MjpegHandler(BaseHTTPRequestHandler):
    """Sends twelve pictures, each brighter, then ends the answer."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        for level in range(12):
            picture = np.full((48, 64, 3), 20 * level, np.uint8)
            data = cv2.imencode(".jpg", picture)[1].tobytes()
            head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def mjpeg_server_at(port: int) -> Iterator[int]:
    """A camera in the network, on a given port, 0 for any; afterwards the port is free again."""
    server = ThreadingHTTPServer(("127.0.0.1", port), MjpegHandler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def mjpeg_server() -> Iterator[str]:
    with mjpeg_server_at(0) as port:
        yield f"http://127.0.0.1:{port}/table.mjpg"


def test_a_stream_that_ends_is_opened_again(caplog: pytest.LogCaptureFixture) -> None:
    waits: list[float] = []
    caplog.set_level(logging.WARNING)
    with mjpeg_server() as url, StreamSource(url, wait=waits.append) as source:
        frames = [source.read() for _ in range(20)]

    assert [f.number for f in frames if f] == list(range(20))
    assert waits
    assert "broke off; opening it again" in caplog.text


def test_a_camera_that_was_switched_off_and_on_goes_on_where_it_was() -> None:
    """The whole server goes away; it is back before the third attempt."""
    waits: list[float] = []
    with ExitStack() as back:

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                back.enter_context(mjpeg_server_at(port))

        with mjpeg_server_at(0) as port:
            source = StreamSource(f"http://127.0.0.1:{port}/table.mjpg", wait=wait)
            before = [source.read() for _ in range(4)]
        after = [source.read() for _ in range(16)]
        source.close()

    assert [f.number for f in (*before, *after) if f] == list(range(20))
    assert waits[:3] == [0.5, 1.0, 2.0]


def test_a_stream_asked_to_try_no_more_is_lost_at_once() -> None:
    with mjpeg_server() as url:
        source = open_source(SourceConfig(url, attempts=0))
        with pytest.raises(SourceError, match=r"is lost; check the camera's power"):
            list(source)
        source.close()


def test_a_stream_that_stays_away_is_lost(mocker: MockerFixture) -> None:
    capture = mocker.patch("cv2.VideoCapture").return_value
    capture.isOpened.return_value = True
    capture.read.return_value = (False, None)
    waits: list[float] = []
    source = StreamSource("rtsp://table/1", attempts=6, wait=waits.append)

    with pytest.raises(SourceError, match="rtsp://table/1 is lost after 6 attempts"):
        source.read()
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


def test_a_stream_that_does_not_answer_is_said() -> None:
    with pytest.raises(SourceError, match="does not open; check the address"):
        open_source("http://127.0.0.1:9/none")


def test_a_rendered_source_counts_its_frames() -> None:
    with open_source("rendered") as source:
        frame = source.read()

    assert isinstance(source, RenderedSource)
    assert frame is not None
    assert (frame.number, frame.image.shape) == (0, (720, 1280, 3))
