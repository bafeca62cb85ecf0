# python3 tests/reference/make_anderson_darling_tail.py > tests/reference/anderson_darling_tail.tsv       (python3-mpmath)
# Limit distribution of the Anderson-Darling statistics, sums over j of chi-squared(m) / (j (j + 1)), at 40 digits: m = 1
# by the series of Anderson & Darling 1954 (as in Marsaglia & Marsaglia 2004), m = 2 a sum of exponentials, m = 4 the sum
# of its second-order poles.
import mpmath
from mpmath import mpf, mp

mp.dps = 40


def below_1(z):
    z = mpf(z)
    total = mpf(0)
    for j in range(40):
        t = (4 * j + 1) ** 2 * mp.pi**2 / (8 * z)
        integral = mpmath.quad(lambda w: mpmath.exp(z / (8 * (w * w + 1)) - t * w * w), [0, 0.5, 1, 2, 4, 8, mpmath.inf])
        term = (-1) ** j * mpmath.gamma(j + mpf(1) / 2) / (mpmath.gamma(mpf(1) / 2) * mpmath.factorial(j)) * (4 * j + 1)
        term *= mpmath.exp(-t) * integral
        total += term
        if abs(term) < mpf(10) ** -38:
            break
    return mpmath.sqrt(2 * mp.pi) / z * total


def tail_2(x):
    return mpmath.nsum(lambda j: (-1) ** (int(j) + 1) * (2 * j + 1) * mpmath.exp(-j * (j + 1) / 2 * x), [1, 60], method="direct")


def tail_4(x):
    # phi = P(s)^-2, P(s) = prod(1 + s / l), l = j (j + 1) / 2: at each pole -l the residue of exp(s x) phi(s) / -s.
    total, x = mpf(0), mpf(x)
    for j in range(1, 60):
        l = mpf(j * (j + 1)) / 2
        product = (-1) ** (j + 1) / mpf(2 * j + 1)  # of (1 - l / l') over the others
        slope = mpf(2) / (2 * j + 1) * (mpf(1) / j + mpf(1) / (j + 1) + mpf(1) / (2 * j + 1))  # of the logarithm of that, to s
        total += l * l / product**2 * mpmath.exp(-l * x) * (x / l + 1 / l**2 - 2 * slope / l)
        if l * x > 120:
            break
    return total


print("# mpmath " + mpmath.__version__ + ": python3 tests/reference/make_anderson_darling_tail.py")
print("m", "x", "tail", sep="\t")
for x in ("0.2", "0.5", "0.7743", "1.5", "2.4924", "3.8781", "6", "10", "15"):
    print(1, x, mpmath.nstr(1 - below_1(x), 20), sep="\t")
for x in ("0.3", "0.7", "1", "2", "3", "5", "8", "12", "20"):
    print(2, x, mpmath.nstr(tail_2(mpf(x)), 20), sep="\t")
for x in ("1", "2", "4", "6", "10", "20"):
    print(4, x, mpmath.nstr(tail_4(x), 20), sep="\t")
