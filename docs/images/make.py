"""Small copies of two figures, for the README: fewer colours, which a drawing does not miss."""

import pathlib

from PIL import Image

FOLDER = pathlib.Path(__file__).parent
FIGURES = FOLDER.parents[1] / "figures"
COLOURS = 32

for name in ("figure2", "epsilon_by_prior_odds"):
    with Image.open(FIGURES / f"{name}.png") as image:
        small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(FOLDER / f"{name}.png", optimize=True)
