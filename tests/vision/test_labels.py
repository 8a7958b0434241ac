from __future__ import annotations

from pathlib import Path

import pytest

from vision.labels import read_labels, use_of


@pytest.mark.parametrize(
    ("set_name", "image", "use"),
    [
        ("edje_tf", "test_IMG_2383.jpg", "test"),
        ("edje_tf", "train_IMG_2401.jpg", "dev"),
        ("sergio_felt", "Test_IMG_1.jpg", "test"),
        ("sergio_felt", "Training_IMG_1.jpg", "dev"),
        ("plaskod_9toA", "latwe_1li.jpg", "test"),
        ("rdpong_single", "2hearts.jpg", "test"),
        ("guille_desk", "t_clubs_1.jpg", "dev"),
        ("gpiosenka_web", "test_ace_of_clubs_1.jpg", "dev"),
    ],
)
def test_photographs_for_testing_are_kept_apart(set_name: str, image: str, use: str) -> None:
    assert use_of(set_name, image) == use


def test_a_label_that_is_no_card_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("image,x1,y1,x2,y2,label\na.png,,,,,AS\na.png,1,2,3,4,XX\n")

    with pytest.raises(ValueError, match=r"line 3.*'XX' is no card"):
        read_labels(path)
