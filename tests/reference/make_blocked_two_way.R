# Rscript tests/reference/make_blocked_two_way.R > tests/reference/blocked_two_way.tsv
# anova(lm(y ~ block + a * b)) of complete blocks, some with cells that no block has (b given a, and a given b); blocks of unlike level.
source("tests/reference/table.R")

columns <- c("case", "levels_a", "levels_b", "levels_block", "a", "b", "block", "y",
             paste0(rep(c("block_", "a_", "b_", "ab_", "axb_"), each = 4), c("ss", "df", "f", "p")), "error_ss", "error_df")
do.call(begin, as.list(c("make_blocked_two_way.R", columns)))

line <- function(table, term) {
  i <- match(term, rownames(table))
  if (is.na(i)) c(NaN, 0, NaN, NaN) else c(table[i, "Sum Sq"], table[i, "Df"], table[i, "F value"], table[i, "Pr(>F)"])
}

compare <- function(name, ka, kb, blocks, empty = NULL, effect = 0.5) {
  g <- expand.grid(b = seq_len(kb) - 1, a = seq_len(ka) - 1, block = seq_len(blocks) - 1)
  if (!is.null(empty)) g <- g[!(g$a == empty[1] & g$b == empty[2]), ]
  g <- g[order(g$a, g$b, g$block), ]
  y <- round(10 + effect * g$a + 0.3 * g$b + 0.2 * g$a * g$b + rnorm(blocks, 0, 2)[g$block + 1] + rnorm(nrow(g), 0, 0.5), 3)
  fa <- factor(g$a); fb <- factor(g$b); block <- factor(g$block)
  forward <- anova(lm(y ~ block + fa * fb))
  backward <- anova(lm(y ~ block + fb * fa))
  do.call(row, c(list(name, ka, kb, blocks, g$a, g$b, g$block, y), as.list(c(line(forward, "block"), line(forward, "fa"),
    line(forward, "fb"), line(backward, "fa"), line(forward, "fa:fb"), forward["Residuals", "Sum Sq"], forward["Residuals", "Df"]))))
  end()
}

for (ka in 2:4) for (kb in 2:3) for (blocks in c(2, 3, 7)) compare(paste(ka, "by", kb, "in", blocks), ka, kb, blocks)
for (blocks in c(2, 4)) compare(paste("3 by 3 less a cell in", blocks), 3, 3, blocks, c(1, 2))
compare("4 by 2 no effect", 4, 2, 5, effect = 0)
