# python3 tests/reference/make_anytime.py > tests/reference/anytime.tsv                              (python3-scipy)
# log_e: log of the mean likelihood ratio of t, noncentral over central, when the effect is normal with variance g, by
# integration of t's density given scale and effect: an integral that shares nothing with the closed form
# exact: the closed form in 50 digits
from decimal import Decimal, getcontext
import numpy as np
import scipy
from scipy import integrate, stats

getcontext().prec = 50


def closed(t, n, g):
    t, n, g = Decimal(t), Decimal(n), Decimal(g)
    v, spread = n - 1, 1 + n * g
    return -spread.ln() / 2 - (v + 1) / 2 * ((1 + t * t / (v * spread)) / (1 + t * t / v)).ln()


def integrated(t, n, g):
    """t given s = sd / sigma is normal about effect sqrt(n) / s: the mean over s and, inside, over the effect."""
    v = n - 1

    def density(variance):
        def given(s):
            return stats.norm.pdf(t * s, 0, variance ** 0.5) * s * stats.chi.pdf(s * v ** 0.5, v) * v ** 0.5
        return integrate.quad(given, 0, 10, epsabs=0, epsrel=1e-12, limit=500, points=(0.25, 0.5, 1, 2))[0]

    # The effect adds n g to the variance of the mean over its standard error.
    return np.log(density(1 + n * g) / density(1))


print("# SciPy %s: python3 tests/reference/make_anytime.py" % scipy.__version__)
print("t\tn\tg\texact\tlog_e")
for n in (2, 3, 5, 10, 30, 200):
    for g in (0.1, 1, 4):
        for t in (0, 0.5, -2, 3, 6):
            print(t, n, g, repr(float(closed(t, n, g))), repr(float(integrated(t, n, g))), sep="\t")
for t, n, g in ((1e10, 5, 1), (1e200, 10, 1), (-1e9, 100000, 1), (1e-200, 3, 1), (40, 10 ** 6, 0.01)):
    print(repr(float(t)), n, g, repr(float(closed(t, n, g))), "nan", sep="\t")
