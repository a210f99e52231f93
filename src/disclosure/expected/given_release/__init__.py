r"""The density of failing releases at one release t; its integral over t is E[rho], the expected failure probability.

A target has the attribute a, its p neighbours have independent attributes b of the same law, and the release is
t = a + sigma z. The mixture g of `beliefs.inclusion` is then the mean over the neighbours of X(b) / X(a), where
X(b) = exp(-(t - b)^2 / (2 sigma^2)) is called the neighbour's term, and the mean over neighbours of X(b) the mean term. The
bounds (24) of paper A fail when

    mean term > e^epsilon X(a)    (above the upper threshold), or
    mean term < e^-epsilon X(a)   (below the lower threshold).

Given t, the mean term does not depend on a. Let Psi(s) be the density of the release at t and of a target whose bounds fail if
the mean term is s, integrated over the targets' attributes a; these targets are called failing. The density of failing releases
is E Psi(mean term), and docs/method.md, "Expected failure probability", derives how it is found. The modules, from the ground
up:

- `settings`: every constant, with its unit and the error that it controls;
- `terms`: a release t, and the law of one neighbour's term given t;
- `failing_targets`: Psi;
- `tilts`: the law of a term tilted towards small or large values, and Chernoff's bounds;
- `windows`: Psi cut into a sum of windows, each a few standard deviations of the tilted mean term wide;
- `spans`: for one window, its ends, its tilt, and the frequencies to sum over;
- `spectral_sum`: the sum over frequencies of the mean term's characteristic function times the window's Fourier transform;
- `window_mass`: one window's share of the density of failing releases;
- `density`: the sum over all windows.
"""
