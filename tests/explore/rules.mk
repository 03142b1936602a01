# rules.mk - one explorer per lock file; included by the Makefile.
#
# A state holds the addresses of frames, so nothing may move between runs; and
# the coroutines' small stacks know no canaries or shadow stacks. Functions that
# stay functions leave fewer dead values behind, which would split states.
EXPLORE_CFLAGS = $(CFLAGS) -Itests/explore -I. -DLOCK_EXPLORE -fno-pie -fno-stack-protector \
	-fcf-protection=none -fno-omit-frame-pointer -fno-inline \
	$(if $(findstring clang,$(CC)),,-fno-ipa-sra -fno-ipa-cp)
EXPLORE_CORE := $(patsubst tests/explore/%.c,$(BUILD)/explore/core/%.o,\
	$(filter-out %/subject.c,$(wildcard tests/explore/*.c)))
# the platform's own locks live outside this process's reach
EXPLORABLE := $(filter-out locks/pthread_%,$(LOCKS)) \
	$(sort $(wildcard tests/explore/good/*.c tests/explore/bad/*.c))

$(BUILD)/explore/core/%.o: tests/explore/%.c
	@mkdir -p $(@D)
	$(CC) $(EXPLORE_CFLAGS) -MMD -c -o $@ $<

define explore_rule
$(BUILD)/explore/$(basename $(notdir $(1))): $(1) tests/explore/subject.c $(EXPLORE_CORE)
	@mkdir -p $$(@D)
	$$(CC) $$(EXPLORE_CFLAGS) -no-pie -MMD -MF $$@.d -DLOCK_FILE='"$(1)"' \
		-fmacro-prefix-map=./= -o $$@ tests/explore/subject.c $(EXPLORE_CORE)
endef
$(foreach l,$(EXPLORABLE),$(eval $(call explore_rule,$(l))))

EXPLORERS := $(foreach l,$(EXPLORABLE),$(BUILD)/explore/$(basename $(notdir $(l))))
EXPLORE_BAD := none $(basename $(notdir $(wildcard tests/explore/bad/*.c)))
EXPLORE_GOOD := $(filter-out $(EXPLORE_BAD),$(notdir $(EXPLORERS)))

explorers: $(EXPLORERS)

# every backend passes, every known-bad subject is caught
check-explore: explorers
	tests/explore/run-suite $(BUILD)/explore --suite '$(EXPLORE_GOOD)' '$(EXPLORE_BAD)'

# the same with wide limits: half an hour, and up to 4 GB of memory for each of two
check-explore-full: explorers
	tests/explore/run-suite $(BUILD)/explore --full '$(EXPLORE_GOOD)' '$(EXPLORE_BAD)'

check-all: check-explore

# every seeded fault is found
check-mutants: explorers
	CC='$(CC)' CFLAGS='$(EXPLORE_CFLAGS)' tests/explore/run-mutants $(BUILD)/explore

.PHONY: explorers check-explore check-explore-full check-mutants
-include $(wildcard $(BUILD)/explore/*.d $(BUILD)/explore/core/*.d)
