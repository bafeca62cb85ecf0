# Rscript tests/reference/make_series.R > tests/reference/series.tsv
# lag-1: acf(x); ljung-box: Box.test(x, lags, "Ljung-Box"); mann-kendall: cor.test(method = "kendall", continuity = TRUE),
# exact where R does it (n < 50, no ties), statistic S from the pairs; stretches: the normal formula of tseries::runs.test
source("tests/reference/table.R")

ar <- function(n, phi) as.numeric(arima.sim(list(ar = phi), n))
series <- c(samples, list(
  rising = c(1, 2, 3, 4, 5), falling = c(9, 7, 4, 1), three = c(1, 3, 2), drift_49 = round(rnorm(49) + (1:49) / 40, 6),
  drift_50 = round(rnorm(50) + (1:50) / 40, 6), ar_80 = round(100 + ar(80, 0.6), 5), ar_200 = round(1e9 + ar(200, -0.4), 3),
  ties_60 = round(rnorm(60) * 2), mostly_one = c(rep(5, 20), 6, rep(5, 9), 4), two_levels = rep(c(0, 1), c(17, 13)),
  walk = round(cumsum(rnorm(300)), 4), alternating = rep(c(1, 2), 25)
))
begin("make_series.R", "case", "test", "x", "lags", "statistic", "p")
out <- function(...) {
  row(...)
  end()
}
for (name in names(series)) {
  x <- series[[name]]
  n <- length(x)
  # R loses digits of what is far from 0, and squares away the extremes: both are taken out, exactly.
  z <- (x - switch(name, giga = 1e9, ar_200 = 1e9, nano_spread = 1, two_close = 1000, 0)) / switch(name, huge = 2^996, tiny = 2^-996, 1)
  if (n >= 3) {
    r <- acf(z, 1, plot = FALSE)$acf[2]
    out(name, "lag-1", x, 1, r, 2 * pnorm(-abs((r + 1 / n) / sqrt((n - 2)^2 / (n^2 * (n - 1))))))
    for (lags in unique(c(1, 2, min(10, n %/% 2)))) if (lags > 0) {
      b <- Box.test(z, lags, "Ljung-Box")
      # b$p.value is 1 - pchisq(), which loses a small tail
      out(name, "ljung-box", x, lags, b$statistic, pchisq(b$statistic, lags, lower.tail = FALSE))
    }
  }
  s <- sum(sign(outer(x, x, function(a, b) b - a))[upper.tri(diag(n))])
  # A falling series, and the lower tail of z: R takes the upper tail from 1, and of a small one little is left.
  exact_p <- n < 50 && !any(duplicated(x))
  k <- cor.test(seq_along(x), if (s > 0) -z else z, method = "kendall", continuity = TRUE, exact = exact_p)
  out(name, "mann-kendall", x, 0, s, if (exact_p) k$p.value else 2 * pnorm(-abs(k$statistic)))
}
for (n in c(1100, 1500, 5000)) {
  x <- if (n == 1500) round(ar(n, 0.05), 5) else round(rnorm(n), 5)
  side <- sign(x - median(x))
  side <- side[side != 0]
  a <- sum(side > 0)
  b <- sum(side < 0)
  if (a + b <= 1000) stop("too many ties")
  r <- 1 + sum(diff(side) != 0)
  z <- (r - (2 * a * b / (a + b) + 1)) / sqrt(2 * a * b * (2 * a * b - a - b) / ((a + b)^2 * (a + b - 1)))
  out(paste0("noise_", n), "stretches", x, 0, r, 2 * pnorm(-abs(z)))
}
