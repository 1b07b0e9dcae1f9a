# Plans over frames without the engine's threads, for tests and measurements that count frames instead of seconds.
# Shares the addon's objects. What only an engine needs: JavaScript, its threads, and those who watch.
ENGINES_ALONE := $(notdir $(basename $(wildcard binding/*.cc stream/*.cc viewers/*.cc)))
PLAN_OBJECTS := $(filter-out $(patsubst %,$(BUILD)/%.o,$(ENGINES_ALONE)),$(OBJECTS))
STEP_SOURCE := $(CAPTURE_TESTS)/step.cc
ALLOCATIONS_SOURCE := $(CAPTURE_TESTS)/allocations.cc
COLOUR_LOOP_SOURCE := ../../test/bench/pipelines/colour.cc

step: $(BUILD)/step

# Counts who asks for memory while a plan runs.
allocations: $(BUILD)/allocations

# What `npm run bench -- colour` measures.
colour-loop: $(BUILD)/colour-loop

$(BUILD)/step: $(STEP_SOURCE) $(CAPTURE_TESTS)/step_task.h $(PLAN_OBJECTS) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -o $@.new $(filter-out %.h,$^) $(LIBRARIES)
	mv $@.new $@

$(BUILD)/allocations: $(ALLOCATIONS_SOURCE) $(CAPTURE_TESTS)/allocations.map $(CAPTURE_TESTS)/step_task.h \
  $(PLAN_OBJECTS) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -Wl,-E,--version-script=$(CAPTURE_TESTS)/allocations.map -o $@.new \
	  $(filter %.cc %.o,$^) $(LIBRARIES)
	mv $@.new $@

$(BUILD)/colour-loop: $(COLOUR_LOOP_SOURCE) $(PLAN_OBJECTS) | $(BUILD)
	$(CXX) -O3 $(CAPTURE_TEST_FLAGS) -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

.PHONY: step allocations colour-loop
