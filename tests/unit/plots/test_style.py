"""What all figures share: the same bytes each time, and colours that everybody tells apart."""

import numpy as np
import pytest

from disclosure.plots import formats, style


def figure():
    def draw(figure, axes):
        (axis,) = axes
        axis.plot([1, 2, 3], [0.1, 0.2, 0.15], "-s", color=style.BLUE, label=r"$\bar{T}$")
        axis.fill_between([1, 2, 3], [0.1, 0.1, 0.1], [0.2, 0.2, 0.2], color=style.GREY)
        axis.set_xlabel(r"$\varepsilon$")
        figure.legend(loc="outside lower center")

    return style.new_figure(1, draw)


@pytest.mark.parametrize("kind", formats.FORMATS)
def test_the_same_figure_makes_the_same_bytes(kind):
    files = [style.rendered(figure(), kind) for _ in range(2)]
    assert files[0] == files[1]
    assert len(files[0]) > 5_000


def test_blue_and_red_differ_in_grey():
    def grey(colour):
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    assert abs(grey(style.BLUE) - grey(style.RED)) > 40


# What dichromats see of a colour in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
DICHROMATS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# From linear RGB to cone responses, and from their cube roots to OKLab, in which distances are those that are seen.
CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
CONES += [[0.0883024619, 0.2817188376, 0.6299787005]]
OKLAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
OKLAB += [[0.0259040371, 0.7827717662, -0.8086757660]]


@pytest.mark.parametrize("kind", DICHROMATS)
def test_colours_differ_for_the_colour_blind(kind):
    def seen(colour):
        encoded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
        return OKLAB @ np.cbrt(CONES @ np.clip(DICHROMATS[kind] @ linear, 0, 1))

    # 0.02 is about the least difference that is noticed between patches side by side.
    assert np.linalg.norm(seen(style.BLUE) - seen(style.RED)) > 0.2
    # Red and green of equal lightness, which deuteranopes confuse, come close: the measure can fail.
    if kind == "deuteranopia":
        assert np.linalg.norm(seen("#b35900") - seen("#778800")) < 0.1
