# /usr/bin/python3 tests/reference/make_studentized_range.py > tests/reference/studentized_range.tsv   (python3-scipy)
# The upper tail of the studentised range, and of Dunnett's largest |t|, as double sums by the trapezoidal rule, which
# converges exponentially for such integrands: SciPy's own sf() is 1 - cdf(), to 6e-12 at 5000
# degrees of freedom. Where it can tell, the sum is held against it; Dunnett's against the two critical values of his tables.
import sys
import warnings

import numpy as np
import scipy
from scipy.special import gammaln, log_ndtr, ndtr
from scipy.stats import studentized_range

warnings.simplefilter("ignore")


def mean_over_s(tail, df, reach):
    if np.isinf(df):
        return tail(1.0)
    y = np.linspace(min(-9 / np.sqrt(df), np.log(reach)) - 50 / df, min(3, 8 / np.sqrt(df)), 3001)
    density = np.exp(np.log(2) + df / 2 * np.log(df / 2) - gammaln(df / 2) + df * y - df / 2 * np.exp(2 * y))
    values = np.array([d * tail(s) if d > 0 else 0.0 for d, s in zip(density, np.exp(y))])
    return float(values.sum() * (y[1] - y[0]))


def range_tail(q, k, df):
    def tail(s):
        w = q * s
        z = np.linspace(w / 2 - 9, max(w / 2 + 9, 11), 801)
        below = log_ndtr(z)
        apart = -np.expm1((k - 1) * np.log1p(-np.minimum(1, np.exp(log_ndtr(z - w) - below))))
        return k * np.sum(np.exp(-z * z / 2 + (k - 1) * below) * apart) * (z[1] - z[0]) / np.sqrt(2 * np.pi)

    return mean_over_s(tail, df, 2 / q)


def dunnett_tail(t, n, control, df):
    square = np.array(n) / (np.array(n) + control)

    def tail(s):
        z = np.linspace(-t * s - 10, t * s + 10, 1601)
        none = np.zeros_like(z)
        for r in square:
            a, b = np.sqrt(r) * z, np.sqrt(1 - r)
            none += np.log1p(-np.minimum(1, ndtr(-(t * s - a) / b) + ndtr(-(t * s + a) / b)))
        return np.sum(np.exp(-z * z / 2) * -np.expm1(none)) * (z[1] - z[0]) / np.sqrt(2 * np.pi)

    return mean_over_s(tail, df, 1 / t)


assert abs(dunnett_tail(2.862750, [3, 3], 3, 6) - 0.05) < 1e-7
assert abs(dunnett_tail(2.734677, [5] * 5, 5, 20) - 0.05) < 1e-7

print("# Python " + sys.version.split()[0] + ", SciPy " + scipy.__version__ +
      ": /usr/bin/python3 tests/reference/make_studentized_range.py")
print("function", "argument", "k", "n", "control", "df", "value", sep="\t")
for k in (2, 3, 4, 6, 12, 40, 300):
    for df in (1, 2, 3.7, 8, 24, 150, 5000, np.inf):
        for q in (0.4, 2.0, 3.5, 5.5, 12.0):
            if q == 12 and df > 100 and k > 6:
                continue
            value = range_tail(q, k, df)
            assert abs(value - studentized_range.sf(q, k, df)) < 2e-11, (q, k, df, value)
            print("range", q, k, 0, 0, df, "%.17g" % value, sep="\t")
for n, control in (([3, 3], 3), ([5] * 5, 5), ([4, 7, 10], 12), ([10], 4), ([10, 3, 10, 6], 30), ([20, 5], 2), ([3] * 9, 9)):
    for df in (1, 4, 6, 20, 133, np.inf):
        for t in (0.3, 1.5, 2.5, 4.0, 9.0):
            print("dunnett", t, len(n), ",".join(map(str, n)), control, df, "%.17g" % dunnett_tail(t, n, control, df), sep="\t")
