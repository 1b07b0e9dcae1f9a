# Plans over frames without the engine's threads, for tests and measurements that count frames instead of seconds. Shares the addon's objects.
STEP_SOURCE := $(CAPTURE_TESTS)/step.cc

step: $(BUILD)/step

$(BUILD)/step: $(STEP_SOURCE) $(filter-out $(patsubst %,$(BUILD)/%.o,binding control_work declared read_task mailbox runner encoder recording_tap part record viewer viewers draw_tags warnings),$(OBJECTS)) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

.PHONY: step
