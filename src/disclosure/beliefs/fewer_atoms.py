"""Few atoms in place of the many of a large table, for noise of Gaussian shape.

Within a cell that is narrow beside the noise, Gauss's rule for the table's own weights has 16 nodes and integrates polynomials
of degree 31 as the atoms do, hence the kernel, as a function of the answer, to the last digit. Its weights are positive and its
nodes lie among the atoms, so that it is a law of answers itself. Twenty thousand incomes become some dozens.
"""

import numpy as np
from scipy.linalg import eigh_tridiagonal

from disclosure.beliefs.piece_sums import ORDER, PART
from disclosure.beliefs.worlds import Law
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray

__all__ = ["fewer_atoms"]

# Norm of the next orthogonal polynomial, on atoms in [-1, 1], below which it is rounding: fewer nodes are all that is needed.
_NOTHING = 1e-13


def fewer_atoms(law: Law, scale: float) -> Law:
    """A law with the same density of the release, in relative terms up to rounding, as far as 40 scales from its answers.

    Parameters
    ----------
    law : Law
    scale : float
        Standard deviation of normal noise, in units of the answers.

    Returns
    -------
    Law
        With 16 atoms at most for each half of a scale, and the same pieces.
    """
    order = np.argsort(law.answers, kind="stable")
    answers, weights = law.answers[order], law.weights[order]
    if len(answers) <= ORDER:
        return law
    cells = np.floor((answers - answers[0]) / (PART * scale))
    starts = np.flatnonzero(np.diff(cells, prepend=-1.0)).tolist()
    rules = [
        _rule(answers[start:stop], weights[start:stop])
        for start, stop in zip(starts, [*starts[1:], len(answers)], strict=True)
    ]
    return Law(
        np.concatenate([nodes for nodes, _ in rules]), np.concatenate([shares for _, shares in rules]), law.pieces
    )


def _rule(answers: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss's rule for some atoms, or the atoms if they are as few.

    Lanczos's method finds the three-term recurrence of the orthogonal polynomials. The nodes are the eigenvalues of its matrix
    (Golub and Welsch, Mathematics of Computation 23, 1969).
    """
    answers, group = np.unique(answers, return_inverse=True)
    weights = np.asarray(np.bincount(group, weights), dtype=float)
    if len(answers) <= ORDER:
        return answers, weights
    middle, half = answers[0] / 2 + answers[-1] / 2, answers[-1] / 2 - answers[0] / 2
    points, total = (answers - middle) / half, weights.sum()
    basis = np.sqrt(weights / total)[None]
    diagonal, beside = [], list[float]()
    for _ in range(ORDER):
        new = points * basis[-1]
        diagonal.append(float((new * basis[-1]).sum()))
        for _ in range(2):  # the second time removes what rounding has left of the first
            new -= contracted("kn,k->n", basis, contracted("kn,n->k", basis, new))
        beside.append(float(np.sqrt((new**2).sum())))
        if beside[-1] < _NOTHING:
            break
        basis = np.vstack([basis, new / beside[-1]])
    nodes, vectors = eigh_tridiagonal(np.array(diagonal), np.array(beside[:-1]))
    shares = vectors[0] ** 2
    return (middle + half * nodes)[shares > 0], total * shares[shares > 0]
