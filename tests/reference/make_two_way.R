# Rscript tests/reference/make_two_way.R > tests/reference/two_way.tsv
# anova(lm(y ~ a * b)) in order, and b before a; the product of the additive model's effects added for non-additivity;
# the difference of two levels of a from lm(y ~ a + b). shift: what R is spared, as in make_anova.R.
source("tests/reference/table.R")

columns <- c("case", "interaction", "levels_a", "levels_b", "a", "b", "y",
             paste0(rep(c("a_", "b_", "ab_", "axb_"), each = 4), c("ss", "df", "f", "p")), "error_ss", "error_df",
             "tukey_f", "tukey_df", "tukey_p", "estimate", "se", "t", "p")
do.call(begin, as.list(c("make_two_way.R", columns)))

line <- function(table, term) {
  i <- match(term, rownames(table))
  if (is.na(i)) c(NaN, 0, NaN, NaN) else c(table[i, "Sum Sq"], table[i, "Df"], table[i, "F value"], table[i, "Pr(>F)"])
}

compare <- function(name, y, a, b, interaction = FALSE, shift = 0, scale = 1) {
  fa <- factor(a)
  fb <- factor(b)
  v <- y / scale - shift
  forward <- anova(if (interaction) lm(v ~ fa * fb) else lm(v ~ fa + fb))
  backward <- anova(if (interaction) lm(v ~ fb * fa) else lm(v ~ fb + fa))
  additive <- lm(v ~ fa + fb)
  effects <- dummy.coef(additive)
  product <- (effects$fa - mean(effects$fa))[as.character(a)] * (effects$fb - mean(effects$fb))[as.character(b)]
  tukey <- c(NaN, NaN, NaN)
  if (additive$df.residual > 1) {
    with <- anova(lm(v ~ fa + fb + product))
    tukey <- c(with["product", "F value"], with["Residuals", "Df"], with["product", "Pr(>F)"])
  }
  last <- nlevels(fa)
  contrast <- summary(additive)$coefficients[paste0("fa", levels(fa)[last]), ]
  ss <- function(cells) { cells[1] <- cells[1] * scale^2; cells }
  cells <- c(ss(line(forward, "fa")), ss(line(forward, "fb")), ss(line(backward, "fa")), ss(line(forward, "fa:fb")),
             forward["Residuals", "Sum Sq"] * scale^2, forward["Residuals", "Df"], tukey,
             contrast[1] * scale, contrast[2] * scale, contrast[3], contrast[4])
  do.call(row, c(list(name, if (interaction) 1 else 0, nlevels(fa), nlevels(fb), a, b, y), as.list(unname(cells))))
  end()
}

grid <- function(ka, kb, n = 1) list(a = rep(seq_len(ka) - 1, each = kb * n), b = rep(rep(seq_len(kb) - 1, each = n), ka))

bdflush <- c(8.693, 8.690, 8.853, 8.875, 8.822, 8.724, 8.703, 8.910, 8.558, 8.557, 8.785, 8.420, 8.194, 8.141, 8.006, 7.847,
             6.662, 6.738, 6.904, 6.892, 6.347, 6.252, 6.380, 6.274, 5.687, 5.802, 6.209, 5.898)
g <- grid(7, 4)
compare("bdflush", bdflush, g$a, g$b)
compare("bdflush turned", bdflush, g$b, g$a)
compare("bdflush less some", bdflush[-c(2, 7, 19, 20, 28)], g$a[-c(2, 7, 19, 20, 28)], g$b[-c(2, 7, 19, 20, 28)])
compare("bdflush logs", log(bdflush), g$a, g$b)
compare("bdflush giga", 1e9 + round(bdflush * 1024) / 1024, g$a, g$b, shift = 1e9)
compare("bdflush nano", bdflush * 1e-9, g$a, g$b)
compare("bdflush huge", bdflush * 2^990, g$a, g$b, scale = 2^990)
for (ka in c(2, 3, 5)) for (kb in c(2, 4)) for (n in 1:3) {
  g <- grid(ka, kb, n)
  y <- round(10 + 0.5 * g$a + 0.3 * g$b + 0.1 * g$a * g$b + rnorm(length(g$a), 0, 0.4), 3)
  for (interaction in unique(c(FALSE, n > 1))) compare(paste(ka, "by", kb, "of", n), y, g$a, g$b, interaction)
  some <- sort(sample(length(y), length(y) - 2))
  full <- all(table(factor(g$a[some], seq_len(ka) - 1), factor(g$b[some], seq_len(kb) - 1)) > 0)
  if (n > 1 && full) for (interaction in c(FALSE, TRUE))
    compare(paste(ka, "by", kb, "of", n, "less two"), y[some], g$a[some], g$b[some], interaction)
}
# Cells that are empty, with replication elsewhere.
g <- grid(4, 5, 2)
some <- !(g$a == 1 & g$b %in% c(0, 3)) & !(g$a == 3 & g$b == 2) & seq_along(g$a) != 5
y <- round(100 + 3 * g$a - 2 * g$b + rnorm(40), 2)
for (interaction in c(FALSE, TRUE)) compare("empty cells", y[some], g$a[some], g$b[some], interaction)
# Treatments in blocks, two of them: the paired t test.
g <- grid(2, 12)
compare("pairs", round(50 + 2 * g$a + rnorm(12)[g$b + 1] + rnorm(24, 0, 0.3), 3), g$a, g$b)
# Incomplete blocks of two out of four.
pairs <- combn(4, 2) - 1
a <- as.vector(pairs)
b <- rep(0:5, each = 2)
compare("incomplete blocks", round(20 + a + 0.5 * b + rnorm(12, 0, 0.2), 3), a, b)
