# Finds locks/*.c and workloads/*.c by itself: a new file is a new lock.
BUILD ?= build
CC = gcc
OPT ?= -O2
WARN = -Wall -Wextra -Werror -Wno-missing-field-initializers
CFLAGS = -std=gnu17 -D_GNU_SOURCE $(OPT) -g $(WARN) -Iharness -Ilocks $(EXTRA)
LIBS = -lhwloc -lnuma -lpapi -lconfuse -ljansson -lm -ldl -lpthread

LOCKS := $(sort $(wildcard locks/*.c))
WORKLOADS := $(sort $(wildcard workloads/*.c))
HARNESS := $(filter-out harness/cell.c harness/plugin.c, $(sort $(wildcard harness/*.c)))

names = $(basename $(notdir $(1)))
CELLS := $(foreach w,$(call names,$(WORKLOADS)),$(BUILD)/cells/outline@$(w).o \
	$(foreach l,$(call names,$(LOCKS)),$(BUILD)/cells/$(l)@$(w).o))
# the pairs once more, counting what happens inside the lock: see harness/events.h
COUNTING := $(sort $(shell grep -l COUNTS_ $(LOCKS) /dev/null))
EVENT_CELLS := $(foreach w,$(call names,$(WORKLOADS)),$(foreach l,$(call names,$(COUNTING)), \
	$(BUILD)/events/$(l)@$(w).o))
OBJECTS := $(HARNESS:harness/%.c=$(BUILD)/harness/%.o)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/test_*.c)))

all: $(BUILD)/latchmark

# -rdynamic: plug-ins call the host's section_look() and share its calibration
$(BUILD)/latchmark: $(OBJECTS) $(CELLS) $(EVENT_CELLS) $(BUILD)/objects.list
	$(CC) $(CFLAGS) -rdynamic -o $@ $(filter %.o,$^) $(LIBS)

# changes when a lock goes: no object is newer then
$(BUILD)/objects.list: FORCE
	@mkdir -p $(@D)
	@new='$(OBJECTS) $(CELLS) $(EVENT_CELLS)'; [ "$$(cat $@ 2>/dev/null)" = "$$new" ] || echo "$$new" >$@

$(BUILD)/harness/main.o: CFLAGS += -DLATCHMARK_VERSION='"$(shell cat VERSION)"'
$(BUILD)/harness/main.o: VERSION
$(BUILD)/harness/plot_sources.o: $(wildcard plots/*)

# what host.json says of the build; touched only when it changes
COMMIT := $(shell git --git-dir=.git describe --always --dirty 2>/dev/null)
$(BUILD)/build_info.h: FORCE
	@mkdir -p $(@D)
	@printf '#define BUILD_FLAGS "%s"\n#define BUILD_COMMIT "%s"\n' \
		'$(subst ",,$(CFLAGS_SAID))' '$(COMMIT)' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
CFLAGS_SAID := $(CFLAGS)
$(BUILD)/harness/host.o: $(BUILD)/build_info.h
$(BUILD)/harness/host.o: CFLAGS += -I$(BUILD)

$(BUILD)/harness/%.o: harness/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -c -o $@ $<

define cell_rules
$(BUILD)/cells/outline@$(1).o: workloads/$(1).c harness/cell.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -MMD -DWORKLOAD_FILE='"../workloads/$(1).c"' -c -o $$@ harness/cell.c
$(BUILD)/cells/%@$(1).o: locks/%.c workloads/$(1).c harness/cell.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -MMD -DLOCK_FILE='"../locks/$$*.c"' \
		-DWORKLOAD_FILE='"../workloads/$(1).c"' -c -o $$@ harness/cell.c
$(BUILD)/events/%@$(1).o: locks/%.c workloads/$(1).c harness/cell.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -g0 -MMD -DLOCK_EVENTS -DLOCK_FILE='"../locks/$$*.c"' \
		-DWORKLOAD_FILE='"../workloads/$(1).c"' -c -o $$@ harness/cell.c
endef
$(foreach w,$(call names,$(WORKLOADS)),$(eval $(call cell_rules,$(w))))

# the cells alone: what the disassembly is made of
cells: $(CELLS)

# a test is one program: its file, the harness without main, and the cells
$(BUILD)/tests/%: tests/%.c $(filter-out %/main.o,$(OBJECTS)) $(CELLS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MF $@.d -o $@ $(filter %.c %.o,$^) -lcmocka $(LIBS)

$(BUILD)/tests/test_conformance: $(wildcard tests/conformance/*.c)
$(BUILD)/tests/test_events: $(EVENT_CELLS) tests/conformance/subject.c

# the known-bad locks of the tests, with rwmix alone, and a latchmark that has them
BAD := $(patsubst tests/bad/%.c,$(BUILD)/bad/%.o,$(sort $(wildcard tests/bad/*.c)))
$(BUILD)/bad/%.o: tests/bad/%.c workloads/rwmix.c harness/cell.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -DLOCK_FILE='"../tests/bad/$*.c"' \
		-DWORKLOAD_FILE='"../workloads/rwmix.c"' -c -o $@ harness/cell.c
$(BUILD)/tests/test_child: $(BAD)
$(BUILD)/latchmark-bad: $(OBJECTS) $(CELLS) $(BAD)
	$(CC) $(CFLAGS) -rdynamic -o $@ $^ $(LIBS)

# a lock outside the tree, with every workload, in one file for --plugin
PLUGIN_OBJECTS = $(BUILD)/plugin/$(basename $(notdir $(LOCK)))
plugin:
	@test -f "$(LOCK)" || { echo 'usage: make plugin LOCK=path/mylock.c' >&2; exit 2; }
	@rm -rf "$(PLUGIN_OBJECTS)" && mkdir -p "$(PLUGIN_OBJECTS)"
	@for w in $(call names,$(WORKLOADS)); do \
		$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -DLOCK_FILE="\"$$(realpath "$(LOCK)")\"" \
			-DWORKLOAD_FILE="\"../workloads/$$w.c\"" \
			-c -o "$(PLUGIN_OBJECTS)/$$w.o" harness/cell.c || exit 1; \
		grep -q COUNTS_ "$(LOCK)" || continue; \
		$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -DLOCK_EVENTS \
			-DLOCK_FILE="\"$$(realpath "$(LOCK)")\"" -DWORKLOAD_FILE="\"../workloads/$$w.c\"" \
			-c -o "$(PLUGIN_OBJECTS)/events-$$w.o" harness/cell.c || exit 1; \
	done
	@$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -shared \
		-Wl,--version-script=harness/plugin.map -o "$(LOCK:.c=.so)" \
		harness/plugin.c "$(PLUGIN_OBJECTS)"/*.o
	@echo "$(LOCK:.c=.so)"

# all tests, after bringing what only they need
check:
	@./run.sh --bring-test-tools
	@$(MAKE) -s --no-print-directory check-all

check-all: all $(TESTS)
	@tests/run-all $(BUILD) all

# the C tests alone: quick, and nothing to install but cmocka
check-c: all $(TESTS)
	@tests/run-all $(BUILD)

# the C tests under the address and undefined-behaviour sanitizers
check-asan:
	@$(MAKE) BUILD=$(BUILD)/asan \
		EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=all" check-c

# the conformance suite alone: under ThreadSanitizer, and with injected faults;
# one workload's cells carry the tables of all locks
CONFORMANCE = HARNESS="harness/cells.c harness/section.c harness/work.c" \
	WORKLOADS=workloads/rwmix.c EVENT_CELLS=
check-tsan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan $(CONFORMANCE) \
		EXTRA="-fsanitize=thread -DSTORM_OPS=1000" $(BUILD)/tsan/tests/test_conformance
	@tests/run-all $(BUILD)/tsan

check-faults:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/faults $(CONFORMANCE) \
		EXTRA="-DLOCK_FAULTS -DSTORM_OPS=2000" $(BUILD)/faults/tests/test_conformance
	@tests/run-all $(BUILD)/faults

# the two commands of the README on a Debian with nothing in it; wants root
check-fresh:
	tests/check-fresh

# a benchmark is one program, built as a test is; they run one after the other
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%, \
	$(filter-out %/bench.c,$(sort $(wildcard tests/bench/*.c))))

$(BUILD)/bench/%: tests/bench/%.c tests/bench/bench.c $(filter-out %/main.o,$(OBJECTS)) $(CELLS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

bench: $(BENCHES)
	@for b in $^; do "$$b" || exit 1; done

# .clang-format is written for version 14; other versions differ in details
CLANG_FORMAT ?= $(or $(shell command -v clang-format-14),clang-format)
FORMATTED = $(sort $(wildcard $(foreach d,harness locks workloads tests tests/*,$(d)/*.c $(d)/*.h)))

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

check-format:
	$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)

-include tests/explore/rules.mk

clean:
	rm -rf $(BUILD)

.PHONY: FORCE all bench cells plugin check check-all check-c check-asan check-tsan check-faults \
	check-fresh check-format format clean
-include $(wildcard $(BUILD)/*/*.d)
