r"""The density of releases at which the bounds fail, for one release at a time; integrated over releases it is E[rho].

At a release t = a + sigma z of a target with attribute a, the mixture g of `beliefs.inclusion` is the mean of p independent
copies of X(b) / X(a) with X(b) = exp(-(t - b)^2 / (2 sigma^2)), b a neighbour's attribute. X(b) is called the neighbour's
term. The bounds (24) fail when

    mean X > e^epsilon X(a)    (above the upper threshold), or
    mean X < e^-epsilon X(a)   (below the lower threshold).

Given t the mean of the terms does not depend on a. Let Psi(s) be the density of the release times the probability that the
target is one of those whose bounds fail when the mean is s: what is wanted is E Psi(mean X). docs/method.md derives how it is
found. The modules, from the ground up:

- `settings`: every constant, with its unit and the error that it controls;
- `terms`: a release, and the law of one term given it;
- `failing_targets`: Psi;
- `tilts`: the law of a term tilted towards small or large values, and Chernoff's bounds;
- `windows`: Psi cut into windows, each a few standard deviations of a tilted mean wide;
- `spans`: for one window, its ends, its tilt, and the frequencies that are summed;
- `spectral_sum`: that sum, of the characteristic function of the mean times the transform of the window;
- `window_mass`: one window's share;
- `density`: the sum of all windows.
"""
