# The test of the engine's threads, which needs no Node: `make stream-test` builds and runs it; `make
# stream-test-checked` does so under the address and undefined-behaviour sanitizers. Shares the addon's objects.
STREAM_TEST_SOURCES := $(wildcard $(CAPTURE_TESTS)/stream/*.cc)
STREAM_TEST_OBJECTS := $(patsubst $(CAPTURE_TESTS)/stream/%.cc,$(BUILD)/stream_test_%.o,$(STREAM_TEST_SOURCES))
STREAM_TEST_HEADERS := $(wildcard $(CAPTURE_TESTS)/stream/*.h)
# All but what speaks to JavaScript.
STREAM_TEST_PARTS := $(filter-out $(notdir $(wildcard binding/*.cc)),$(VISION_SOURCES) $(CAPTURE_SOURCES))

stream-test: $(BUILD)/stream_test
	$<

stream-test-checked: $(BUILD)/stream_test_checked
	$<

$(BUILD)/stream_test: $(STREAM_TEST_OBJECTS) $(patsubst %.cc,$(BUILD)/%.o,$(STREAM_TEST_PARTS))
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

$(BUILD)/stream_test_%.o: $(CAPTURE_TESTS)/stream/%.cc $(STREAM_TEST_HEADERS) $(CAPTURE_TEST_HEADERS) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

$(BUILD)/stream_test_checked: $(STREAM_TEST_SOURCES) $(STREAM_TEST_HEADERS) $(CAPTURE_TEST_HEADERS) \
  $(STREAM_TEST_PARTS) | $(BUILD)
	$(CXX) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined $(CAPTURE_TEST_FLAGS) -o $@.new \
	  $(filter %.cc,$^) $(LIBRARIES)
	mv $@.new $@

.PHONY: stream-test stream-test-checked
