"""The page of a release, as one file in HTML."""

import math
from typing import NamedTuple

import disclosure
from disclosure.pages import participants, words
from disclosure.pages.axes import LogAxis
from disclosure.pages.released import released
from disclosure.pages.shown import Release
from disclosure.pages.templates import template
from disclosure.people.description import small

__all__ = ["page"]

# The picture, in its own pixels: on a phone they are a little smaller than the screen's.
_WIDTH, _HEIGHT = 480, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 446, 28, 250
# The right end leaves room for half of a label below it. Labels below the picture that have room side by side.
_LABELS = 5
# Factors above this end at the top of the picture: nobody tells them apart.
_MOST = 1e4


class _Picture(NamedTuple):
    """Risk over noise: the axes, and for each probability the places of its points."""

    width: int
    height: int
    x: LogAxis
    y: LogAxis
    ticks_x: list[float]
    ticks_y: list[float]
    unit: float
    multiples: bool
    lines: list[list[tuple[float, float]]]
    marks: list[float]


def page(release: Release) -> str:
    """The whole page.

    Parameters
    ----------
    release : Release

    Returns
    -------
    str
        The same for the same release. All names in it are text, whatever is in them.
    """
    opened = release.probabilities.index(release.probability)
    chances = participants.chances(release.mu, release.probability)
    shown = chances[len(chances) // 2]
    before, after = participants.dots(shown)
    posterior = release.points[release.chosen].risks[opened].posterior
    return _TEMPLATE.render(
        release=release,
        opened=opened,
        posterior=not math.isnan(posterior),
        weighted=release.weighted,
        picture=_picture(release),
        released=released(release),
        of_records=any(statistic.query == "identity" for statistic in release.statistics),
        units=any(statistic.unit for statistic in release.statistics),
        out_of_100=chances,
        shown=shown,
        sentence=participants.sentence(shown, release.probability),
        before=before,
        after=after,
        version=disclosure.__version__,
    )


def _picture(release: Release) -> _Picture:
    multiples = len({statistic.sigma for statistic in release.statistics}) > 1
    unit = release.unit
    scales = [point.scale * unit for point in release.points]
    x = LogAxis(scales[0], scales[-1], _LEFT, _RIGHT)
    rises = [risk.rise for point in release.points for risk in point.risks]
    y = LogAxis(1.0, min(max(1.1 * max(rises), 2.0), _MOST), _BOTTOM, _TOP)
    lines = [
        [(x.place(scale), y.place(point.risks[k].rise)) for scale, point in zip(scales, release.points, strict=True)]
        for k in range(len(release.probabilities))
    ]
    marks = [x.place(scale) for scale, point in zip(scales, release.points, strict=True) if point.mark]
    return _Picture(_WIDTH, _HEIGHT, x, y, list(x.ticks(_LABELS)), list(y.ticks()), unit, multiples, lines, marks)


_TEMPLATE = template(
    "disclosure.pages",
    "release.html",
    number=words.number,
    count=words.count,
    chance=words.chance,
    percent=words.percent,
    times=words.times,
    small=small,
)
