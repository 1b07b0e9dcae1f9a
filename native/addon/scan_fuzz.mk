# The fuzz target of the tag detector, under the address and undefined-behaviour sanitizers. `make scan-fuzz` has it
# look at pictures made by code and at changes of them, for so many SECONDS, from a SEED that it prints, or for so many
# RUNS; what fails stays in build/scan_fuzz_failed, and `make scan-fuzz INPUT=FILE` looks at a file again. Where there
# is clang, its own fuzzer drives the same target: all of the folder but main.cc, and the detector, with
# -fsanitize=fuzzer,address,undefined.
SECONDS := 30
RUNS :=
SEED = $(shell date +%s)
INPUT :=

SCAN_FUZZ := $(notdir $(basename $(wildcard $(CAPTURE_TESTS)/scan_fuzz/*.cc)))
SCAN_FUZZ_HEADERS := $(SCAN_TEST_HEADERS) $(wildcard $(CAPTURE_TESTS)/scan_fuzz/*.h)
SCAN_FUZZ_FAILED := $(BUILD)/scan_fuzz_failed

scan-fuzz: $(BUILD)/scan_fuzz
	$< $(if $(INPUT),$(INPUT),$(if $(RUNS),runs $(RUNS),seconds $(SECONDS)) $(SEED) $(SCAN_FUZZ_FAILED))

$(BUILD)/scan_fuzz: $(SCAN_FUZZ:%=$(BUILD)/scan_checked_fuzz_%.o) $(SCAN_PARTS:%.cc=$(BUILD)/scan_checked_%.o)
	$(CXX) -pthread $(SCAN_CHECKED_FLAGS) -o $@.new $^ $(SCAN_TEST_LIBRARIES)
	mv $@.new $@

$(BUILD)/scan_checked_fuzz_%.o: $(CAPTURE_TESTS)/scan_fuzz/%.cc $(SCAN_FUZZ_HEADERS) | $(BUILD)
	$(CXX) $(SCAN_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

.PHONY: scan-fuzz
