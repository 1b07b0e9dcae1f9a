# Plans over frames without the engine's threads, for tests and measurements that count frames instead of seconds. Shares the addon's objects.
# What only an engine needs: JavaScript, its threads, and those who watch. The clock is everybody's.
ENGINES_ALONE := $(filter-out clock,$(notdir $(basename $(wildcard *.cc stream/*.cc viewers/*.cc))))
PLAN_OBJECTS := $(filter-out $(patsubst %,$(BUILD)/%.o,$(ENGINES_ALONE)),$(OBJECTS))
STEP_SOURCE := $(CAPTURE_TESTS)/step.cc

step: $(BUILD)/step

$(BUILD)/step: $(STEP_SOURCE) $(PLAN_OBJECTS) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

.PHONY: step
