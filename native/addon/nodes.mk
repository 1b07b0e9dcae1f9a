# The test of the nodes, which needs no Node: `make node-test` builds and runs it. Each file in its folder is a group of
# tests. Shares the addon's objects.
NODE_TESTS := $(notdir $(basename $(wildcard $(CAPTURE_TESTS)/nodes/*.cc)))
NODE_TEST_OBJECTS := $(NODE_TESTS:%=$(BUILD)/node_test_%.o)

node-test: $(BUILD)/node_test
	$<

$(BUILD)/node_test: $(NODE_TEST_OBJECTS) $(PLAN_OBJECTS)
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

$(BUILD)/node_test_%.o: $(CAPTURE_TESTS)/nodes/%.cc $(CAPTURE_TEST_HEADERS) $(wildcard $(CAPTURE_TESTS)/nodes/*.h) | \
  $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

.PHONY: node-test
