# The native halves of `npm run bench -- scan cells corners tracked false-tags stages two-threads detector-memory`. They
# share the addon's objects, so that what is measured is what is shipped.
SCAN_SOURCES := ../../test/bench/detector
SCAN_HEADERS := $(addprefix $(SCAN_SOURCES)/,bare_library.h rounds.h same_answer.h sized_picture.h)
SCAN_OBJECTS := $(TAG_SEARCH_OBJECTS) $(BUILD)/tag_places.o
SCAN_PROGRAMS := $(addprefix $(BUILD)/,scan cells corners stages tracked two-threads search-memory)

scan: $(SCAN_PROGRAMS)

$(SCAN_PROGRAMS): $(BUILD)/%: $(SCAN_SOURCES)/%.cc $(SCAN_HEADERS) $(SCAN_OBJECTS) | $(BUILD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -I$(SCAN_SOURCES) -o $@.new $(filter-out %.h,$^) $(LIBRARIES)
	mv $@.new $@

.PHONY: scan
