# Rscript tests/reference/make_fisher.R > tests/reference/fisher.tsv
# fisher.test(): failed_x of nx runs against failed_y of ny
source("tests/reference/table.R")

begin("make_fisher.R", "case", "failed_x", "nx", "failed_y", "ny", "p")
for (a in list(c(0, 10, 3, 10), c(0, 10, 0, 10), c(10, 10, 10, 10), c(0, 3, 3, 3), c(1, 9, 11, 14), c(3, 4, 1, 4), c(2, 2, 0, 2),
               c(0, 1, 1, 1), c(5, 30, 11, 25), c(7, 200, 30, 150), c(0, 5, 5, 200), c(1, 2, 100, 1000), c(40, 100, 60, 100),
               c(10, 1000, 30, 1000), c(500, 1000, 520, 1000), c(3, 17, 4, 23), c(0, 20, 9, 20), c(1, 3, 2, 3), c(12, 12, 0, 30),
               c(900, 100000, 1100, 100000))) {
  row(paste(a, collapse = " "), a[1], a[2], a[3], a[4], fisher.test(rbind(c(a[1], a[2] - a[1]), c(a[3], a[4] - a[3])))$p.value)
  end()
}
