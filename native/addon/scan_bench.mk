# The native halves of `npm run bench -- scan cells tracked false-tags`. They share the addon's objects, so that what is measured is what is shipped.
SCAN_SOURCES := ../../test/bench
SCAN_OBJECTS := $(TAG_SEARCH_OBJECTS) $(BUILD)/tag_places.o

scan: $(BUILD)/scan $(BUILD)/cells $(BUILD)/tracked

$(BUILD)/scan $(BUILD)/cells $(BUILD)/tracked: $(BUILD)/%: $(SCAN_SOURCES)/%.cc $(SCAN_SOURCES)/bare_library.h $(SCAN_OBJECTS) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -I$(SCAN_SOURCES) -o $@.new $(filter-out %.h,$^) $(LIBRARIES)
	mv $@.new $@

.PHONY: scan
