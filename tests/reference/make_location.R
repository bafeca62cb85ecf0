# Rscript tests/reference/make_location.R > tests/reference/location.tsv
# Hodges-Lehmann by wilcox.test(conf.int = TRUE, exact = TRUE); medians by qbinom; Fieller by solving the equation of the
# t test with uniroot; Hedges' g by its formula with gamma().
source("tests/reference/table.R")

begin("make_location.R", "case", "procedure", "x", "y", "level", "value", "low", "high", "reached")

line <- function(...) {
  row(...)
  end()
}
two_sided <- function(name, x, y, level) {
  m <- length(x)
  n <- length(y)
  k <- qwilcox((1 - level) / 2, m, n)
  # Where P(W <= k) is the tail itself, R takes one too few.
  if (k > 0 && abs(2 * pwilcox(k, m, n) - (1 - level)) > 1e-12) {
    w <- wilcox.test(y, x, conf.int = TRUE, exact = TRUE, conf.level = level)
    line(name, "hodges-lehmann", x, y, level, w$estimate, w$conf.int[1], w$conf.int[2], 1 - 2 * pwilcox(k - 1, m, n))
  }
  v <- c(var(x) / m, var(y) / n)
  r <- mean(y) / mean(x)
  df <- (r^2 * v[1] + v[2])^2 / (r^4 * v[1]^2 / (m - 1) + v[2]^2 / (n - 1))
  q <- qt((1 + level) / 2, df)
  if (mean(x)^2 > 1.01 * q^2 * v[1]) {
    distance <- function(z) abs(mean(y) / mean(x) - z) - q * sqrt(v[2] + z^2 * v[1]) / abs(mean(x))
    far <- 1
    while (distance(r - far * abs(r)) < 0 || distance(r + far * abs(r)) < 0) far <- 2 * far
    low <- uniroot(distance, c(r - far * abs(r), r), tol = 1e-16 * abs(r), maxiter = 10000)$root
    high <- uniroot(distance, c(r, r + far * abs(r)), tol = 1e-16 * abs(r), maxiter = 10000)$root
    line(name, "fieller", x, y, level, r, low, high, level)
  }
  s <- sqrt(((m - 1) * var(x) + (n - 1) * var(y)) / (m + n - 2))
  j <- exp(lgamma((m + n - 2) / 2) - lgamma((m + n - 3) / 2)) / sqrt((m + n - 2) / 2)
  g <- j * (mean(y) - mean(x)) / s
  half <- qnorm((1 + level) / 2) * sqrt((m + n) / (m * n) + g^2 / (2 * (m + n)))
  line(name, "hedges-g", x, y, level, g, g - half, g + half, level)
  d <- sign(outer(y, x, "-"))
  delta <- mean(d)
  if (abs(delta) < 1) {
    s2 <- (m^2 * sum((rowMeans(d) - delta)^2) + n^2 * sum((colMeans(d) - delta)^2) - sum((d - delta)^2)) /
      (m * n * (m - 1) * (n - 1))
    s2 <- max(s2, (1 - delta^2) / (m * n - 1))
    z <- qnorm((1 + level) / 2)
    half <- z * sqrt(s2) * sqrt((1 - delta^2)^2 + z^2 * s2)
    below <- 1 - delta^2 + z^2 * s2
    line(name, "cliff-delta", x, y, level, delta, (delta - delta^3 - half) / below, (delta - delta^3 + half) / below, level)
  }
}
pairs <- list(
  c("throughput_247", "throughput_ac10"), c("giga", "loud"), c("integers", "nano"), c("skewed", "bimodal"),
  c("normal_30", "normal_30"), c("loud", "quiet"), c("quiet", "two"), c("bimodal", "normal_30"), c("wide", "skewed"),
  c("nano_spread", "nano"), c("ties", "one_off"), c("integers", "ties")
)
for (pair in pairs) for (level in c(0.95, 0.8)) {
  x <- samples[[pair[1]]]
  y <- samples[[pair[2]]]
  if (pair[1] == pair[2]) y <- rev(y)[-1] + 1.25
  # Ties, where R is not exact, apart.
  if (anyDuplicated(c(x, y)) > 0) {
    x <- x + 1e-4 * pi * seq_along(x)^2
    y <- y + 1e-4 * exp(1) * seq_along(y)^2
  }
  two_sided(paste(pair, collapse = " v "), x, y, level)
}
two_sided("signs", c(-3.5, -2.25, -4, -1.75, -2.5, -3), c(1.5, -0.75, 2, 0.25, 0.125), 0.95)

for (name in c("skewed", "normal_30", "integers", "nano", "giga", "loud", "bimodal", "huge")) for (level in c(0.95, 0.75)) {
  x <- samples[[name]]
  scale <- 2^round(log2(max(x)))
  y <- x + rnorm(length(x)) * (max(x) - min(x)) / 4
  k <- qsignrank((1 - level) / 2, length(x))
  if (k == 0 || anyDuplicated(abs(y - x)) > 0 || abs(2 * psignrank(k, length(x)) - (1 - level)) < 1e-12) next
  # uniroot inside wilcox.test is not called where exact
  w <- wilcox.test(y / scale, x / scale, paired = TRUE, conf.int = TRUE, exact = TRUE, conf.level = level)
  line(name, "hodges-lehmann-paired", x, y, level, scale * w$estimate, scale * w$conf.int[1], scale * w$conf.int[2],
       1 - 2 * psignrank(k - 1, length(x)))
}
for (name in names(samples)) for (level in c(0.95, 0.5, 0.999)) {
  x <- samples[[name]]
  n <- length(x)
  k <- qbinom((1 - level) / 2, n, 0.5)
  if (k == 0 || 2 * pbinom(k - 1, n, 0.5) > 1 - level) next
  # Where P(X <= k) is the tail itself, k is one too few; none of these levels is met so exactly but 0.5.
  if (abs(2 * pbinom(k, n, 0.5) - (1 - level)) < 1e-12) k <- k + 1
  line(name, "median", x, NaN, level, median(x), sort(x)[k], sort(x)[n + 1 - k], 1 - 2 * pbinom(k - 1, n, 0.5))
}
