# The test of the tag detector, which needs neither Node nor the rest of the addon: `make scan-test` builds and runs it;
# `make scan-test-checked` does so under the address and undefined-behaviour sanitizers, with what takes longer; `make
# scan-test-arm64` on a 64-bit ARM processor that is emulated, which must give the same bits (two minutes; of Debian it
# takes g++-aarch64-linux-gnu, qemu-user, libapriltag3:arm64 and libopencv-imgproc406:arm64). Each file in its folder is
# a group of tests. Shares the addon's objects.
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

ARM := $(BUILD)/arm64
ARM_CXX := aarch64-linux-gnu-g++
ARM_RUN := qemu-aarch64 -L / $(ARM)/scan_test

scan-test-arm64: $(ARM)/scan_test $(BUILD)/scan_test
	$(BUILD)/scan_test pictures $(ARM)/pictures
	$(BUILD)/scan_test fingerprints $(ARM)/pictures >$(ARM)/here
	$(ARM_RUN) fingerprints $(ARM)/pictures >$(ARM)/there
	diff $(ARM)/here $(ARM)/there
	$(ARM_RUN)

$(ARM)/scan_test: $(SCAN_TESTS:%=$(ARM)/test_%.o) $(SCAN_PARTS:%.cc=$(ARM)/%.o)
	$(ARM_CXX) -pthread -o $@ $^ -L/usr/lib/aarch64-linux-gnu -l:libapriltag.so.3 -l:libopencv_imgproc.so.406 \
	  -l:libopencv_core.so.406 -Wl,--allow-shlib-undefined

$(ARM)/test_%.o: $(CAPTURE_TESTS)/scan/%.cc $(SCAN_TEST_HEADERS) | $(ARM)
	$(ARM_CXX) -O2 -ffp-contract=off $(CAPTURE_TEST_FLAGS) -c -o $@ $<

$(ARM)/%.o: %.cc $(SCAN_TEST_HEADERS) | $(ARM)
	$(ARM_CXX) -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math $(CAPTURE_TEST_FLAGS) -c -o $@ $<

$(ARM): | $(BUILD)
	mkdir $@

$(BUILD)/scan_checked_%.o: %.cc $(SCAN_TEST_HEADERS) | $(BUILD)
	$(CXX) $(SCAN_CHECKED_FLAGS) $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

.PHONY: scan-test scan-test-checked scan-test-arm64
