# The test of the tag detector, which needs neither Node nor the rest of the addon: `make scan-test` builds and runs it; `make scan-test-checked` does so under the
# address and undefined-behaviour sanitizers, with what takes longer. Each file in its folder is a group of tests. Shares the addon's objects.
SCAN_TESTS := $(notdir $(basename $(wildcard $(CAPTURE_TESTS)/scan/*.cc)))
SCAN_PARTS := $(notdir $(wildcard detector/*.cc families/*.cc)) aruco_codes.cc
SCAN_TEST_HEADERS := $(wildcard $(CAPTURE_TESTS)/*.h $(CAPTURE_TESTS)/scan/*.h detector/*.h families/*.h)
SCAN_TEST_LIBRARIES := -lapriltag -lopencv_imgproc -lopencv_core
# Products and sums are rounded as in the addon. One wrong word ends the program.
SCAN_CHECKED_FLAGS := -O1 -g -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=undefined

scan-test: $(BUILD)/scan_test
	$<

scan-test-checked: $(BUILD)/scan_test_checked
	$< large

$(BUILD)/scan_test: $(SCAN_TESTS:%=$(BUILD)/scan_test_%.o) $(SCAN_PARTS:%.cc=$(BUILD)/%.o)
	$(CXX) -pthread -o $@.new $^ $(SCAN_TEST_LIBRARIES)
	mv $@.new $@

$(BUILD)/scan_test_checked: $(SCAN_TESTS:%=$(BUILD)/scan_checked_test_%.o) $(SCAN_PARTS:%.cc=$(BUILD)/scan_checked_%.o)
	$(CXX) -pthread $(SCAN_CHECKED_FLAGS) -o $@.new $^ $(SCAN_TEST_LIBRARIES)
	mv $@.new $@

$(BUILD)/scan_test_%.o: $(CAPTURE_TESTS)/scan/%.cc $(SCAN_TEST_HEADERS) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

$(BUILD)/scan_checked_test_%.o: $(CAPTURE_TESTS)/scan/%.cc $(SCAN_TEST_HEADERS) | $(BUILD)
	$(CXX) $(SCAN_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

$(BUILD)/scan_checked_%.o: %.cc $(SCAN_TEST_HEADERS) | $(BUILD)
	$(CXX) $(SCAN_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

.PHONY: scan-test scan-test-checked
