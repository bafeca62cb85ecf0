# Rscript tests/reference/make_anova.R > tests/reference/anova.tsv
# anova(lm(y ~ g)), oneway.test(y ~ g) and kruskal.test(y, g), on the values or on their logarithms. Where the values have
# much in common R loses digits: then less a shift, and divided by a power of two, both exact.
source("tests/reference/table.R")

begin("make_anova.R", "case", "test", "sizes", "y", "statistic", "df", "df_error", "p")

compare <- function(name, groups, shift = 0, scale = 1, welch = TRUE) {
  y <- unlist(groups)
  g <- factor(rep(seq_along(groups), lengths(groups)))
  for (test in c("anova", "welch-anova", "kruskal-wallis")) {
    v <- y / scale - shift
    if (test == "welch-anova" && !welch) next
    if (test == "anova") {
      a <- anova(lm(v ~ g))
      got <- c(a$F[1], a$Df, a[["Pr(>F)"]][1])
    } else if (test == "welch-anova") {
      a <- oneway.test(v ~ g)
      got <- c(a$statistic, a$parameter, a$p.value)
    } else {
      a <- kruskal.test(y, g)
      got <- c(a$statistic, a$parameter, NaN, a$p.value)
    }
    row(name, test, lengths(groups), y, got[1], got[2], got[3], got[4])
    end()
  }
}

take <- function(...) unname(samples[c(...)])
compare("throughput", take("throughput_247", "throughput_ac10", "throughput_pre8"))
compare("two of two", take("two", "two_close"))
compare("two", take("integers", "ties"))
compare("ties", take("ties", "one_off", "integers"))
compare("mixed", take("skewed", "bimodal", "normal_30", "normal_101"))
compare("large and small n", take("normal_101", "two", "normal_30"))
compare("loud and quiet", take("loud", "quiet", "throughput_247"))
compare("wide", take("wide", "skewed"))
compare("all ties", list(c(1, 1, 2), c(1, 2, 2), c(2, 2, 1, 1)))
compare("apart", list(c(1, 2, 3), c(101, 102, 103.5), c(201, 202.25, 203)))
compare("one value in a group", list(c(1, 2, 4), 3, c(5, 7.5)), welch = FALSE)
compare("giga", list(samples$giga, samples$giga[1:4] + 0.5, rev(samples$giga) - 0.125), shift = 1e9)
compare("nano", list(samples$nano, samples$nano[2:4] * 1.0625, samples$nano * 0.875))
compare("nano spread", list(samples$nano_spread, samples$nano_spread[1:3] + 2^-29), shift = 1)
compare("huge", list(samples$huge, samples$huge[1:3] * 1.125), scale = 2^996)
compare("tiny", list(samples$tiny, samples$tiny[1:3] * 1.125), scale = 2^-996)
for (k in c(3, 5, 8)) for (n in c(2, 3, 10)) {
  compare(paste(k, "groups of", n), lapply(seq_len(k), function(i) round(rnorm(n, 10 + 0.3 * i, 1 + 0.2 * i), 3)))
  compare(paste(k, "tied groups of", n), lapply(seq_len(k), function(i) round(rnorm(n, 10 + 0.3 * i, 1 + 0.2 * i) * 2) / 2 + (1:n) * 0.25))
  compare(paste(k, "log-normal groups of", n, "at most"), lapply(seq_len(k), function(i) signif(rlnorm(1 + sample(n, 1), i / 4, 0.3), 5)))
}
