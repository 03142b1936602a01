# Finds locks/*.c and workloads/*.c by itself: a new file is a new lock.
BUILD ?= build
CC = gcc
OPT ?= -O2
WARN = -Wall -Wextra -Werror -Wno-missing-field-initializers
CFLAGS = -std=gnu17 -D_GNU_SOURCE $(OPT) -g $(WARN) -Iharness -Ilocks $(EXTRA)
LIBS = -lhwloc -lnuma -lpapi -lconfuse -ljansson -lm -ldl -lpthread

LOCKS := $(sort $(wildcard locks/*.c))
WORKLOADS := $(sort $(wildcard workloads/*.c))
HARNESS := $(filter-out harness/cell.c, $(sort $(wildcard harness/*.c)))

names = $(basename $(notdir $(1)))
CELLS := $(foreach w,$(call names,$(WORKLOADS)),$(BUILD)/cells/outline@$(w).o \
	$(foreach l,$(call names,$(LOCKS)),$(BUILD)/cells/$(l)@$(w).o))
OBJECTS := $(HARNESS:harness/%.c=$(BUILD)/harness/%.o)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/test_*.c)))

all: $(BUILD)/latchmark

$(BUILD)/latchmark: $(OBJECTS) $(CELLS)
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

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
endef
$(foreach w,$(call names,$(WORKLOADS)),$(eval $(call cell_rules,$(w))))

# a test is one program: its file, the harness without main, and the cells
$(BUILD)/tests/%: tests/%.c $(filter-out %/main.o,$(OBJECTS)) $(CELLS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MF $@.d -o $@ $^ -lcmocka $(LIBS)

check: check-c

# the C tests alone: quick, and nothing to install but cmocka
check-c: all $(TESTS)
	tests/run-all $(BUILD)

# .clang-format is written for version 14; other versions differ in details
CLANG_FORMAT ?= $(or $(shell command -v clang-format-14),clang-format)
FORMATTED = $(sort $(wildcard $(foreach d,harness locks workloads tests tests/*,$(d)/*.c $(d)/*.h)))

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

check-format:
	$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)

clean:
	rm -rf $(BUILD)

.PHONY: all check check-c check-format format clean
-include $(wildcard $(BUILD)/*/*.d)
