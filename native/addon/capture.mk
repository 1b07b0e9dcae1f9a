# The capture half of the addon: its sources, and the rule of its own test, which needs no Node. `make capture-test`
# builds and runs it; `make capture-test-checked` does so under the address and undefined-behaviour sanitizers.
V4L2_SOURCES := mjpeg_frame.cc v4l2_buffers.cc v4l2_colour.cc v4l2_control.cc v4l2_controls.cc v4l2_crop.cc \
  v4l2_describe.cc v4l2_device.cc v4l2_gray.cc v4l2_modes.cc v4l2_quirks.cc v4l2_stamp.cc
JPEG_SOURCES := huffman_tables.cc jpeg_errors.cc jpeg_part.cc jpeg_reader.cc
CAPTURE_SOURCES := $(JPEG_SOURCES) $(V4L2_SOURCES) \
  address_class.cc aruco_codes.cc aruco_family.cc clock.cc cropped_source.cc curl_library.cc http_answer.cc \
  jpeg_crop.cc jpeg_sequence.cc live_video.cc media_file.cc multipart.cc name_lookup.cc orientation.cc pace.cc \
  picture.cc png_file.cc source_clock.cc source_file.cc source_images.cc source_synthetic.cc source_url.cc \
  source_v4l2.cc synthetic_background.cc synthetic_blur.cc synthetic_board.cc synthetic_camera.cc \
  synthetic_draw.cc synthetic_drive.cc synthetic_faults.cc synthetic_lens.cc synthetic_patrol.cc synthetic_sheet.cc \
  synthetic_trajectory.cc tag_family.cc upright.cc video.cc video_library.cc

CAPTURE_TESTS := ../../test/native/addon
CAPTURE_TEST_SOURCES := $(CAPTURE_TESTS)/capture_test.cc $(wildcard $(CAPTURE_TESTS)/capture/*.cc)
CAPTURE_TEST_OBJECTS := $(CAPTURE_TEST_SOURCES:$(CAPTURE_TESTS)/%.cc=$(BUILD)/capture_tests/%.o)
CAPTURE_TEST_HEADERS := $(wildcard $(CAPTURE_TESTS)/*.h $(CAPTURE_TESTS)/capture/*.h *.h */*.h */*/*.h)
CAPTURE_TEST_FLAGS = -std=c++17 -Wall -Wextra -pthread -I$(CAPTURE_TESTS) $(addprefix -I,. $(ROOMS)) -isystem \
  /usr/include/opencv4
CAPTURE_TEST_LIBRARIES := -lapriltag -lturbojpeg -ljpeg -lpng -lopencv_calib3d -lopencv_core

capture-test: $(BUILD)/capture_test
	$<

capture-test-checked: $(BUILD)/capture_test_checked
	$< 4

# Shares the addon's objects, so that what is tested is what is shipped.
$(BUILD)/capture_test: $(CAPTURE_TEST_OBJECTS) $(patsubst %.cc,$(BUILD)/%.o,$(CAPTURE_SOURCES))
	$(CXX) -pthread -o $@.new $^ $(CAPTURE_TEST_LIBRARIES)
	mv $@.new $@

$(BUILD)/capture_tests/%.o: $(CAPTURE_TESTS)/%.cc $(CAPTURE_TEST_HEADERS) | $(BUILD)
	mkdir -p $(@D)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

$(BUILD)/capture_test_checked: $(CAPTURE_TEST_SOURCES) $(CAPTURE_TEST_HEADERS) $(CAPTURE_SOURCES) | $(BUILD)
	$(CXX) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined $(CAPTURE_TEST_FLAGS) -o $@.new \
	  $(filter %.cc,$^) $(CAPTURE_TEST_LIBRARIES)
	mv $@.new $@

.PHONY: capture-test capture-test-checked
