# Rscript tests/reference/make_components.R > tests/reference/components.tsv
# Balanced: mean squares of anova(lm(y ~ top/middle/...)) over the size of a unit. Two levels, unbalanced: means and
# variances by tapply().
source("tests/reference/table.R")

begin("make_components.R", "case", "levels", "runs", "boots", "tops", "y", "mean_square", "variance")

balanced <- function(name, y, runs, boots, tops) {
  top <- gl(tops, boots * runs)
  boot <- gl(tops * boots, runs)
  if (boots > 1) {
    m <- anova(lm(y ~ top + top:boot))[["Mean Sq"]]
    s <- c(m[3], m[2] / runs, m[1] / (runs * boots))
    v <- c(s[1], s[2] - s[1] / runs, s[3] - s[2] / boots)
    row(name, 3, rep(runs, tops * boots), rep(boots, tops), tops, y, s, v)
  } else {
    m <- anova(lm(y ~ top))[["Mean Sq"]]
    s <- c(m[2], m[1] / runs)
    row(name, 2, rep(runs, tops), rep(1, tops), tops, y, s, c(s[1], s[2] - s[1] / runs))
  }
  end()
}
unbalanced <- function(name, y, sizes) {
  g <- factor(rep(seq_along(sizes), sizes))
  s <- c(anova(lm(y ~ g))[["Mean Sq"]][2], var(tapply(y, g, mean)))
  row(name, 2, sizes, rep(1, length(sizes)), length(sizes), y, s, c(s[1], s[2] - s[1] * mean(1 / sizes)))
  end()
}
balanced("kalibera and jones", c(9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4), 2, 2, 3)
for (runs in c(2, 5)) for (boots in c(1, 2, 4)) for (tops in c(2, 3, 6)) {
  n <- runs * boots * tops
  y <- round(100 + rep(rnorm(tops, 0, 3), each = runs * boots) + rep(rnorm(tops * boots, 0, 2), each = runs) + rnorm(n), 3)
  balanced(paste(tops, "by", boots, "by", runs), y, runs, boots, tops)
}
for (sizes in list(c(3, 2, 5), c(1, 4, 2, 2), c(10, 3)))
  unbalanced(paste(sizes, collapse = "+"), round(rnorm(sum(sizes), 50, 2), 3), sizes)
