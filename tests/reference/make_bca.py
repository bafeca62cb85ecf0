# /usr/bin/python3 tests/reference/make_bca.py > tests/reference/bca.tsv       (python3-scipy)
# scipy.stats.bootstrap(method = "BCa"). exact_low, exact_high: from every possible resample once (bootstrap_result =), nan
# where there are too many. low, high and their sd: mean and standard deviation of 30 bootstraps of 10,000 resamples.
# acceleration: the jackknife formula, written out.
import itertools
import warnings

import numpy as np
import scipy
from scipy import stats

warnings.simplefilter("ignore")
print("# SciPy " + scipy.__version__ + ": python3 tests/reference/make_bca.py")
print("case", "statistic", "x", "y", "level", "value", "acceleration", "exact_low", "exact_high", "low", "low_sd", "high", "high_sd", sep="\t")
rng = np.random.default_rng(1993)


def cell(x):
    return ",".join("%.17g" % v for v in np.atleast_1d(x))


# Rounded, for a resample that is the sample in another order has the same mean.
def digits(x):
    return np.round(x, 12)


functions = {
    "mean": lambda x, axis=-1: digits(np.mean(x, axis=axis)),
    "median": lambda x, axis=-1: digits(np.median(x, axis=axis)),
    "mean-ratio": lambda x, y, axis=-1: digits(np.mean(y, axis=axis) / np.mean(x, axis=axis)),
    "geometric-ratio": lambda x, y, axis=-1: digits(np.exp(np.mean(np.log(y), axis=axis) - np.mean(np.log(x), axis=axis))),
}


def acceleration(f, data):
    top = bottom = 0
    for j, sample in enumerate(data):
        n = len(sample)
        left_out = np.array([f(*[np.delete(s, i) if k == j else s for k, s in enumerate(data)]) for i in range(n)])
        u = (n - 1) * (np.mean(left_out) - left_out)
        top += np.sum(u**3) / n**3
        bottom += np.sum(u**2) / n**2
    return top / 6 / bottom**1.5


def every(x):
    return np.array(list(itertools.product(x, repeat=len(x))))


def all_resamples(f, data):
    if sum(len(s) * np.log(len(s)) for s in data) > np.log(90000):
        return None
    if len(data) == 1:
        return f(every(data[0]))
    a, b = every(data[0]), every(data[1])
    return np.concatenate([f(np.broadcast_to(row, (len(b), len(row))), b) for row in a])


class Result:
    pass


def line(name, statistic, level, *data):
    f = functions[statistic]
    data = tuple(np.asarray(s, dtype=float) for s in data)
    exact = [np.nan, np.nan]
    distribution = all_resamples(f, data)
    if distribution is not None:
        result = Result()
        result.bootstrap_distribution = distribution
        r = stats.bootstrap(data, f, n_resamples=0, bootstrap_result=result, confidence_level=level, method="BCa", vectorized=True)
        exact = r.confidence_interval
    runs = [stats.bootstrap(data, f, n_resamples=10000, confidence_level=level, method="BCa", vectorized=True,
                            batch=1000, random_state=rng).confidence_interval for _ in range(30)]
    low, high = np.array(runs).T
    print(name, statistic, cell(data[0]), cell(data[1]) if len(data) > 1 else "nan", cell(level), cell(f(*data)),
          cell(acceleration(f, data)), cell(exact[0]), cell(exact[1]), cell(low.mean()), cell(low.std(ddof=1)),
          cell(high.mean()), cell(high.std(ddof=1)), sep="\t")


five = [10.2, 10.05, 10.9, 9.6, 13.4]
six = [1.5, 2.25, 2.5, 4, 4.75, 9]
x4, y4 = [3.1, 4.2, 2.6, 5.9], [4.4, 8.1, 5.2, 4.9]
skewed = np.round(rng.lognormal(1, 0.7, 25), 3)
other = np.round(rng.lognormal(1.3, 0.4, 31), 3)
large = np.round(rng.normal(100, 5, 200), 3)
for level in (0.95, 0.8):
    for name, x in (("five", five), ("six", six), ("ties", [2, 2, 2, 3, 7, 7]), ("skewed", skewed), ("large", large)):
        line(name, "mean", level, x)
        line(name, "median", level, x)
    for name, x, y in (("4 v 4", x4, y4), ("3 v 5", x4[:3], five), ("skewed", skewed, other), ("unequal", five, large)):
        line(name, "mean-ratio", level, x, y)
        line(name, "geometric-ratio", level, x, y)
