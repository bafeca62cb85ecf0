# Rscript tests/reference/make_density.R > tests/reference/density.tsv
# bw.nrd0(), mean(dnorm()), qqnorm(), qqline()'s arithmetic; bins: nclass.Sturges(), and Freedman and Diaconis's width by
# its definition, since nclass.FD() rounds the values to five digits
source("tests/reference/table.R")

begin("make_density.R", "case", "x", "bandwidth", "at", "density", "bins", "scores", "intercept", "slope")
for (name in setdiff(names(samples), c("giga", "nano_spread"))) {
  x <- sort(samples[[name]])
  # R's own sd() overflows and underflows: the scale is taken out, exactly
  scale <- switch(name, huge = 2^996, tiny = 2^-996, 1)
  z <- x / scale
  bw <- bw.nrd0(z)
  at <- c(min(z) - bw, mean(z), z[1], max(z) + 3 * bw)
  width <- 2 * IQR(z) / length(z)^(1 / 3)
  bins <- max(nclass.Sturges(z), if (width > 0) ceiling(diff(range(z)) / width) else 1)
  q <- quantile(z, c(0.25, 0.75), names = FALSE)
  slope <- diff(q) / diff(qnorm(c(0.25, 0.75)))
  row(name, x, bw * scale, at * scale, vapply(at, function(a) mean(dnorm(a, z, bw)), 0) / scale, bins,
      sort(qqnorm(z, plot.it = FALSE)$x), (q[1] - slope * qnorm(0.25)) * scale, slope * scale)
  end()
}
