# vmstat-bench: repeated benchmark runs with statistical rigour.
#
#   make deps      install the Debian packages that building, running and testing need (as root)
#   make deps-dev  those of lint and bench
#   make           build ./vmstat-bench
#   make check     run all tests; SAN=address,undefined or VALGRIND=1 to run them instrumented
#   make check-vm  runs in virtual machines, of kernels that it fetches; its short form is in check where qemu is
#   make check-reboot  real reboots, of a Debian system in a virtual machine (some 30 minutes, emulated)
#   make lint      static checks and layering
#   make simulate  how often the analysis errs on data whose truth is known, with bounds (some minutes)
#   make bench     speed against peers, as ratios
#   make fuzz      feed the importers with mutated files for FUZZ_TIME seconds (60), with clang's libFuzzer
#   make bless     accept the present output of the golden cases, of README.md and its pictures
#   make install   into $(DESTDIR)$(PREFIX); make uninstall takes it away
#   make deb       a Debian package, in build/; make check-deb installs it into a new Debian (as root, from the network)
#
# DEVELOPER=1 turns warnings into errors. BUILD=dir keeps objects elsewhere.

MAKEFLAGS += -j$(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
BIN ?= vmstat-bench

DEBS = gcc make pkg-config libc6-dev libglib2.0-dev libgsl-dev libsqlite3-dev libjansson-dev libproc2-dev \
       libmount-dev libblkid-dev gnuplot-nox libcmocka-dev jq strace procps \
       xfsprogs btrfs-progs dbench fio liblzma-dev libzstd-dev cpio sysbench bonnie++ stress-ng scdoc groff-base zsh \
       libxml2-utils xz-utils zstd
DEBS_DEV = clang libclang-rt-14-dev clang-tidy clang-format cppcheck valgrind hyperfine \
           dpkg-dev lintian debootstrap fdisk chromium python3 qemu-system-x86 busybox-static

PKGS = glib-2.0 gio-2.0 gsl sqlite3 jansson libproc2 mount blkid liblzma libzstd
CFLAGS ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wno-unused-parameter
CPPFLAGS += -D_GNU_SOURCE -DG_LOG_DOMAIN='"vmstat-bench"'
ALL_CFLAGS = -std=gnu11 $(CFLAGS) $(WARN) $(if $(DEVELOPER),-Werror) -ffp-contract=off \
             $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS = $(shell pkg-config --libs $(PKGS)) -lm -lpthread
ifneq ($(SAN),)
override BUILD := $(BUILD)-san
override BIN := $(BUILD)/vmstat-bench
endif

SOURCES = $(wildcard src/*.c stats/*.c plots/*.c workloads/*.c)
LIB_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/main.c,$(SOURCES)))
LIB = $(BUILD)/libvmstat-bench.a
VERSION = $(shell sed -n 's/.define VERSION "\(.*\)"/\1/p' src/version.h)
TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

all: $(BIN)

$(BIN): $(BUILD)/src/main.o $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(LIB): $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(PKG_LIBS) -lcmocka

# The same test with its final sync taken away: there it must fail. test_device runs it to see that it does.
$(BUILD)/tests/test_device: $(BUILD)/tests/nosync_device
$(BUILD)/tests/nosync_device: $(BUILD)/tests/test_device.o $(BUILD)/tests/nosync.o $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,--wrap=fdatasync -o $@ $^ $(PKG_LIBS) -lcmocka

SIMULATE = $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/simulate_*.c))
$(BUILD)/tests/simulate: $(BUILD)/tests/simulate.o $(SIMULATE) $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/tests/test_simulate: $(BUILD)/tests/test_simulate.o $(SIMULATE) $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka

# HY 0: an option must not be hyphenated where a line ends
$(BUILD)/vmstat-bench.1: src/vmstat-bench.1.scd src/version.h
	@mkdir -p $(@D)
	{ echo '.nr HY 0'; sed 's/@VERSION@/$(VERSION)/' $< | scdoc; } >$@

check: $(BIN) $(TESTS)
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/run-all $(TESTS)

check-vm: $(BIN)
	BIN=$(abspath $(BIN)) tests/check-vm

check-reboot: $(BIN)
	BIN=$(abspath $(BIN)) tests/check-reboot

simulate: $(BUILD)/tests/simulate $(BUILD)/tests/test_noise
	$<
	$(BUILD)/tests/test_noise || test $$? -eq 77

bless: $(BIN)
	BIN=$(abspath $(BIN)) tests/run-golden --bless
	BIN=$(abspath $(BIN)) tests/case-readme --bless
	BIN=$(abspath $(BIN)) tests/case-pictures --bless

lint:
	tests/lint $(CPPFLAGS) $(PKG_CFLAGS)

BENCHES = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench_*.c))

$(BUILD)/tests/bench_true: $(BUILD)/tests/bench_true.o
	$(CC) -static -o $@ $<

$(BUILD)/tests/bench_stats $(BUILD)/tests/bench_observe $(BUILD)/tests/bench_import: %: %.o $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/tests/bench_%: $(BUILD)/tests/bench_%.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -lm

bench: $(BIN) $(BENCHES)
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/bench-exec
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/bench-copy
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/bench-stats
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/bench-import
	BUILD=$(BUILD) tests/bench-observe
	BUILD=$(BUILD) BIN=$(abspath $(BIN)) tests/bench-tiobench
	BIN=$(abspath $(BIN)) tests/bench-boot

FUZZ_TIME ?= 60

$(BUILD)/tests/fuzz_import: $(BUILD)/tests/fuzz_import.o $(LIB)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

fuzz:
	$(MAKE) CC=clang SAN=fuzzer-no-link,address,undefined BUILD=$(BUILD)/fuzz run-fuzz

run-fuzz: $(BUILD)/tests/fuzz_import
	tests/run-fuzz $< $(FUZZ_TIME)

clean:
	rm -rf build build-san vmstat-bench

deps:
	apt-get update
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(DEBS)

deps-dev: deps
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(DEBS_DEV)

$(BUILD)/completion.%: $(BIN)
	@mkdir -p $(@D)
	$(abspath $(BIN)) completion $* >$@

MAN_DIR = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
DOC_DIR = $(DESTDIR)$(PREFIX)/share/doc/vmstat-bench

install: $(BIN) $(BUILD)/vmstat-bench.1 $(BUILD)/completion.bash $(BUILD)/completion.zsh
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/vmstat-bench
	install -D -m 644 $(BUILD)/vmstat-bench.1 $(MAN_DIR)/vmstat-bench.1
	install -D -m 644 $(BUILD)/completion.bash $(BASH_DIR)/vmstat-bench
	install -D -m 644 $(BUILD)/completion.zsh $(DESTDIR)$(ZSH_DIR)/_vmstat-bench
	install -D -m 644 -t $(DOC_DIR) README.md
	install -D -m 644 -t $(DOC_DIR)/samples samples/*

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/vmstat-bench $(MAN_DIR)/vmstat-bench.1 $(BASH_DIR)/vmstat-bench $(DESTDIR)$(ZSH_DIR)/_vmstat-bench \
	      $(DOC_DIR)/README.md $(addprefix $(DOC_DIR)/,$(wildcard samples/*))
	test ! -d $(DOC_DIR) || find $(DOC_DIR) -depth -type d -empty -delete

deb:
	+src/make-deb $(BUILD) $(VERSION)

check-deb: deb
	tests/check-deb $(BUILD)/vmstat-bench_$(VERSION)_*.deb

.PHONY: all check check-deb check-vm check-reboot deb simulate fuzz run-fuzz bless clean deps deps-dev install uninstall lint bench
.SECONDARY:
-include $(wildcard $(BUILD)/*/*.d)
