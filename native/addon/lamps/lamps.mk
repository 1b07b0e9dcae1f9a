# The program that holds the lamps, and its test, which `make lamps-test` builds and runs; `make lamps-test-checked`
# does so under the address and undefined-behaviour sanitizers, and builds the program under them.
LAMP_PARTS := lamp_file.cc lamp_holder.cc lamp_led.cc lamp_line.cc lamp_note.cc lamp_options.cc lamp_orders.cc \
  lamp_output.cc lamp_plan.cc lamp_pwm.cc lamp_strip.cc line_chips.cc strip_bits.cc
LAMP_SOURCES := vedette_lamps.cc $(LAMP_PARTS)

$(BUILD)/vedette-lamps: $(LAMP_SOURCES:%.cc=$(BUILD)/%.o) $(BUILD)/clock.o
	$(CXX) -o $@.new $^
	mv $@.new $@

LAMP_TEST_SOURCES := $(wildcard $(CAPTURE_TESTS)/lamps/*.cc)
LAMP_TEST_HEADERS := $(CAPTURE_TESTS)/suite.h $(wildcard lamps/*.h) json.h
LAMP_CHECKED_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined

lamps-test: $(BUILD)/lamps_test
	$<

lamps-test-checked: $(BUILD)/lamps_test_checked $(BUILD)/vedette-lamps-checked
	$<

$(BUILD)/lamps_test: $(LAMP_TEST_SOURCES:$(CAPTURE_TESTS)/lamps/%.cc=$(BUILD)/lamps_test_%.o) \
  $(LAMP_PARTS:%.cc=$(BUILD)/%.o)
	$(CXX) -pthread -o $@.new $^
	mv $@.new $@

$(BUILD)/lamps_test_%.o: $(CAPTURE_TESTS)/lamps/%.cc $(LAMP_TEST_HEADERS) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

$(BUILD)/lamps_test_checked: $(LAMP_TEST_SOURCES) $(LAMP_TEST_HEADERS) $(LAMP_PARTS) | $(BUILD)
	$(CXX) $(LAMP_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -o $@.new $(filter %.cc,$^)
	mv $@.new $@

$(BUILD)/vedette-lamps-checked: $(LAMP_SOURCES) clock.cc $(LAMP_TEST_HEADERS) | $(BUILD)
	$(CXX) $(LAMP_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -o $@.new $(filter %.cc,$^)
	mv $@.new $@

.PHONY: lamps-test lamps-test-checked

# Both ends of a pipe, for `npm run bench -- lamps`.
lamp-stamps: $(BUILD)/lamp-stamps

$(BUILD)/lamp-stamps: ../../test/bench/lighting/stamps.cc | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -o $@.new $<
	mv $@.new $@

.PHONY: lamp-stamps
