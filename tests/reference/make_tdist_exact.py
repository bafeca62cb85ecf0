# python3 tests/reference/make_tdist_exact.py > tests/reference/tdist_exact.tsv       (python3-mpmath)
# Where R approximates (df above 4e5, noncentrality above 37) or loses the tail: Student's t by quadrature of its density
# at 40 digits, the noncentral t as a Poisson mixture of incomplete beta functions.
import mpmath
from mpmath import mpf, mp

mp.dps = 40


def tail(t, df):
    t, df = mpf(t), mpf(df)
    constant = mpmath.exp(mpmath.loggamma((df + 1) / 2) - mpmath.loggamma(df / 2)) / mpmath.sqrt(mp.pi * df)
    at_t = (df + 1) / 2 * mpmath.log1p(t * t / df)

    def density(s):
        return mpmath.exp(at_t - (df + 1) / 2 * mpmath.log1p(s * s / df))

    edges = [t + min(1, 1 / t) * k for k in range(0, 121, 2)]
    return constant * mpmath.exp(-at_t) * mpmath.quad(density, edges)


def noncentral_tails(t, df, delta):
    t, df, half = mpf(t), mpf(df), mpf(delta) ** 2 / 2
    x, b = t * t / (df + t * t), df / 2
    first = max(0, int(half - 14 * mpmath.sqrt(half) - 5))
    last = int(half + 14 * mpmath.sqrt(half) + 60)
    inside = mpf(0)
    for j in range(first, last + 1):
        weight = mpmath.exp(-half + j * mpmath.log(half) - mpmath.loggamma(j + 1)) if half else mpf(j == 0)
        inside += weight * mpmath.betainc(j + mpf(1) / 2, b, 0, x, regularized=True)
    return 1 - inside


print("# mpmath " + mpmath.__version__ + ": python3 tests/reference/make_tdist_exact.py")
print("function", "argument", "df", "noncentrality", "value", sep="\t")
for df in (1000, 1e6, 1e8, 1e12):
    for t in (0.5, 1.96, 5.0, 15.0, 30.0):
        print("tail", t, df, 0, mpmath.nstr(tail(t, df), 20), sep="\t")
for df, t in ((1, 12.7062), (1, 636.62), (1.5, 8.0), (2, 4.30265), (4, 2.77645), (18, 2.10092), (18, 3.5), (198, 1.97202), (1998, 1.96115)):
    for delta in (0, 0.001, 1, 3, 10, 45):
        print("noncentral", t, df, delta, mpmath.nstr(noncentral_tails(t, df, delta), 20), sep="\t")
