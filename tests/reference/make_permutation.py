# /usr/bin/python3 tests/reference/make_permutation.py > tests/reference/permutation.tsv       (python3-scipy)
# scipy.stats.permutation_test, all splits or all signs, of Welch's t, of Brunner and Munzel's statistic, of the sum of
# differences, and of rank sums where there are ties; scipy.stats.brunnermunzel; scipy.special.kolmogorov for the
# limit of Kolmogorov-Smirnov, of which R keeps six digits, and whole numbers for its exact p.
import math
import warnings
from fractions import Fraction

import numpy as np
import scipy
from scipy import special, stats

warnings.simplefilter("ignore")
print("# SciPy " + scipy.__version__ + ": python3 tests/reference/make_permutation.py")
print("case", "test", "x", "y", "statistic", "p", sep="\t")
rng = np.random.default_rng(20011115)


def cell(x):
    return ",".join("%.17g" % v for v in np.atleast_1d(x))


def line(name, test, x, y, statistic, p):
    print(name, test, cell(x), cell(y), cell(statistic), cell(p), sep="\t")


def welch(x, y):
    difference = np.mean(y) - np.mean(x)
    variance = np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y)
    # Sides without variation, however it was rounded; 1e6 for infinity, which SciPy cannot compare.
    if variance < 1e-26 * np.max(np.abs(np.concatenate([x, y]))) ** 2:
        return 0 if abs(difference) < 1e-12 else np.copysign(1e6, difference)
    t = difference / np.sqrt(variance)
    return np.round(t, 11)


def brunner(x, y):
    w = stats.brunnermunzel(x, y).statistic
    if not np.isfinite(w):
        return np.copysign(1e6, np.mean(y) - np.mean(x))
    return np.round(w, 11)


def u(x, y):
    return stats.mannwhitneyu(y, x, method="asymptotic").statistic


def all_splits(f, x, y):
    r = stats.permutation_test((x, y), lambda a, b: f(a, b), vectorized=False, n_resamples=np.inf)
    return r.statistic, r.pvalue


def all_signs(f, d):
    r = stats.permutation_test((d,), f, permutation_type="samples", vectorized=False, n_resamples=np.inf)
    return r.pvalue


def smirnov(x, y):
    """D, and the share of all orders of two sides that get as far, by counting in whole numbers those that do not."""
    n, m = len(x), len(y)
    pooled = sorted([(v, 0) for v in x] + [(v, 1) for v in y])
    step = [True] + [i == n + m or pooled[i][0] != pooled[i - 1][0] for i in range(1, n + m + 1)]
    passed, largest = [0, 0], 0
    for i, (_, side) in enumerate(pooled):
        passed[side] += 1
        if step[i + 1]:
            largest = max(largest, abs(passed[0] * m - passed[1] * n))
    ways = [0] * (m + 1)
    for i in range(n + 1):
        for j in range(m + 1):
            here = 1 if i + j == 0 else (ways[j] if i else 0) + (ways[j - 1] if j else 0)
            ways[j] = 0 if i + j and step[i + j] and abs(i * m - j * n) >= largest else here
    return largest / (n * m), float(1 - Fraction(ways[m], math.comb(n + m, n)))


def v(d):
    d = np.asarray(d)[np.asarray(d) != 0]
    return np.sum(stats.rankdata(np.abs(d))[d > 0])


sides = {
    "kernels": ([10.2184, 10.0105, 10.0215], [7.84171, 7.68447, 7.85119]),
    "2 v 2": ([1.5, 2.25], [2, 3.5]),
    "2 v 5": ([1.5, 9.25], [2, 3.5, 4, 8, 1]),
    "3 v 4": ([5, 6, 7], [1, 2, 3, 4]),
    "ties": ([2, 2, 3, 3, 5], [3, 3, 5, 5, 9, 9]),
    "two values": ([1, 1, 1, 5], [1, 5, 5, 5, 5]),
    "one off": ([7, 7, 7, 7], [7, 7, 7, 7.5]),
    "spreads": (np.round(rng.normal(10, 0.1, 6), 4), np.round(rng.normal(10.1, 2, 6), 4)),
    "normal 6 v 6": (rng.normal(0, 1, 6), rng.normal(1, 1, 6)),
    "normal 7 v 5": (rng.normal(0, 1, 7), rng.normal(0.5, 1, 5)),
    "skewed": (np.round(rng.lognormal(0, 1, 8), 3), np.round(rng.lognormal(0.5, 1, 6), 3)),
    "giga": (1e9 + np.array([0.25, 1.5, 0.75, 2.25, 1]), 1e9 + np.array([1.25, 2.5, 1.75, 3])),
    "nano": (1e-9 * np.array([1.1, 1.3, 0.9, 1.25, 1.05]), 1e-9 * np.array([1.5, 1.2, 1.15, 1.45])),
    "coarse": (np.round(rng.normal(20, 2, 7)), np.round(rng.normal(22, 2, 7))),
}
for name, (x, y) in sides.items():
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    statistic, p = all_splits(welch, x, y)
    if abs(statistic) < 1e6:
        line(name, "permutation", x, y, statistic, p)
    w, p = all_splits(brunner, x, y)
    line(name, "brunner-munzel-permuted", x, y, w if abs(w) < 1e6 else np.copysign(np.inf, w), p)
    if abs(w) < 1e6:
        b = stats.brunnermunzel(x, y)
        line(name, "brunner-munzel", x, y, -b.statistic if np.sign(b.statistic) != np.sign(w) else b.statistic, b.pvalue)
    statistic, p = all_splits(u, x, y)
    line(name, "mann-whitney", x, y, statistic, p)
    line(name, "kolmogorov-smirnov", x, y, *smirnov(x, y))
    n = min(len(x), len(y))
    if n > 2:
        d = y[:n] - x[:n]
        if len(set(d)) > 1:
            scale = np.max(np.abs(d))
            line(name, "permutation-paired", x[:n], y[:n], stats.ttest_1samp(d, 0).statistic,
                 all_signs(lambda e: np.round(np.sum(e), 11), d / scale))
            if np.count_nonzero(d) > 1:
                line(name, "signed-rank", x[:n], y[:n], v(d), all_signs(v, d[d != 0]))
for n, m in ((10, 12), (25, 40), (60, 50)):
    for step in (0, 1, 0.01):
        x, y = rng.normal(20, 2, n), rng.normal(21, 3, m)
        if step:
            x, y = np.round(x / step) * step, np.round(y / step) * step
        b = stats.brunnermunzel(x, y)
        line("%d v %d by %g" % (n, m, step), "brunner-munzel", x, y, b.statistic, b.pvalue)
        for z in (x, x - 1, x + 1, x + 4):
            line("%d v %d by %g" % (n, m, step), "kolmogorov-smirnov", z, y, *smirnov(z, y))
            d = stats.ks_2samp(z, y).statistic
            line("%d v %d by %g" % (n, m, step), "kolmogorov-smirnov-limit", z, y, d, special.kolmogorov(np.sqrt(n * m / (n + m)) * d))
