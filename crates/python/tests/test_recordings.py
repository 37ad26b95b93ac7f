"""Recordings, exports, pictures, the viewer."""

import json
import re
import urllib.error
import urllib.request

import numpy as np
import pytest

import warpline


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "drop.wline"
    world = warpline.World("drop")
    world.floor()
    ball = world.ball(0.1, position=[0, 2, 0], mass=1)
    return world.run(2.0, record=path, events=True), ball, path


def test_a_recording_is_arrays(recorded):
    run, ball, path = recorded
    recording = warpline.open(path)
    assert recording.is_complete and recording.names == ["floor 1", "ball 2"] and recording.span == (0, 2)
    np.testing.assert_allclose(recording.states(2.0)[1, :3], run.state(ball)[:3], atol=1e-12)
    times = np.linspace(0, 0.5, 6)
    heights = recording.trajectory(ball, times)[:, 1]
    np.testing.assert_allclose(heights, 2 - 9.81 / 2 * times**2, atol=1e-12)
    assert recording.sample(times).shape == (6, 2, 13)
    assert recording.events.tobytes() == run.events.tobytes()
    assert recording.stats["history_sha256"] == run.history_sha256
    assert len(recording.table(fps=10)["x"]) == 2 * 21
    with pytest.raises(warpline.ArgumentError, match="covers"):
        recording.states(3.0)


def test_cloth_is_arrays_too(tmp_path):
    world = warpline.World()
    world.cloth(name="flag", grid={"columns": 6, "rows": 4, "corner": [0, 3, 0], "u": [1, 0, 0], "v": [0, 0, 1]},
                pins=["corners"])
    world.ball(0.1, position=[5, 1, 0])
    path = tmp_path / "flag.wline"
    world.run(0.5, record=path)
    recording = warpline.open(path)
    first, last = recording.vertices("flag", 0.0), recording.vertices("flag", 0.5)
    triangles = recording.triangles("flag")
    assert first.shape == last.shape and first.shape[1] == 3 and triangles.shape[1] == 3
    assert triangles.min() == 0 and triangles.max() == len(first) - 1
    # Its corners are held, and it sags between them.
    np.testing.assert_allclose(first[:, 1], 3, atol=1e-9)
    assert last[:, 1].max() == pytest.approx(3, abs=1e-9) and last[:, 1].min() < 2.9
    for call in (lambda: recording.vertices("ball 1", 0.0), lambda: recording.triangles("ball 1")):
        with pytest.raises(warpline.WarplineError, match="does not deform|no body"):
            call()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_of_other_libraries(recorded, library):
    pytest.importorskip(library)
    run, ball, path = recorded
    frame = getattr(warpline.open(path), f"to_{library}")(fps=10)
    assert list(frame.columns)[:5] == ["time", "body", "x", "y", "z"] and frame.shape == (42, 15)
    column = frame["y"].to_numpy()[1::2]
    assert set(frame["body"]) == {"floor 1", "ball 2"}
    np.testing.assert_allclose(column[:6], 2 - 9.81 / 2 * (np.arange(6) / 10) ** 2, atol=1e-12)


def test_exports_and_pictures(recorded, tmp_path):
    recording = warpline.open(recorded[2])
    for ending in ("csv", "glb", "usda"):
        recording.export(tmp_path / f"drop.{ending}")
        assert (tmp_path / f"drop.{ending}").stat().st_size > 100
    recording.export(tmp_path / "contacts.csv", what="contacts")
    assert (tmp_path / "contacts.csv").read_text().startswith("time_s,tick,what,body,partner")
    with pytest.raises(warpline.WarplineError, match="end in .csv"):
        recording.export(tmp_path / "contacts.glb", what="contacts")
    with pytest.raises(warpline.ArgumentError, match="nothing called"):
        recording.export(tmp_path / "drop.csv", what="smell")
    with pytest.raises(warpline.RecordingError, match="no format"):
        recording.export(tmp_path / "drop.xyz")
    image = recording.render(0.2, 160, 90)
    assert image._repr_png_()[:4] == b"\x89PNG"
    with pytest.raises(warpline.RecordingError):
        recording.render(99.0)


def test_the_viewer_answers(recorded, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda url: True)
    viewer = warpline.open(recorded[2]).view()
    assert viewer.url in viewer._repr_html_()
    with urllib.request.urlopen(viewer.url) as page:
        assert b"<html" in page.read().lower()
        assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
    # A notebook is another site: its frame is let in by what the cell says, and by nothing else.
    framed = re.search(r'src="([^"]+)"', viewer._repr_html_()).group(1)
    ask = urllib.request.Request(framed, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"})
    with urllib.request.urlopen(ask) as page:
        assert page.headers["X-Frame-Options"] is None
        assert "frame-ancestors" not in page.headers["Content-Security-Policy"]
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(urllib.request.Request(viewer.url, headers={"Sec-Fetch-Site": "cross-site"}))
    viewer.close()


def test_progress_and_statistics():
    told = []
    run = warpline.World.load("gas", bodies=300, duration=2).run(progress=told.append)
    assert all(0 <= t <= 2 for t in told)
    assert run.stats["collisions"] > 0 and json.dumps(run.stats)
