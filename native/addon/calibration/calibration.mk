# The programs that calibrate cameras, processes of their own, and their test, which `make calibration-test` builds and
# runs.
CALIBRATION_PARTS := $(addprefix $(BUILD)/,adjustment.o lens_unknowns.o prediction.o procedure.o task_text.o)
CALIBRATION_LIBRARIES := -lopencv_calib3d -lopencv_imgproc -lopencv_core

$(BUILD)/calibrate: $(BUILD)/calibrate.o $(CALIBRATION_PARTS)
	$(CXX) -o $@.new $^ $(CALIBRATION_LIBRARIES)
	mv $@.new $@

# The program that finds the corners of boards in pictures.
CORNER_PARTS := $(addprefix $(BUILD)/,board_layout.o chess_corners.o chessboard.o marker_search.o tag_grid.o)

$(BUILD)/board-corners: $(BUILD)/board_corners.o $(CORNER_PARTS) $(TAG_SEARCH_OBJECTS) $(BUILD)/orientation.o \
  $(BUILD)/upright.o
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

# A board that is held in front of the synthetic camera.
HELD_BOARD := $(patsubst %.cc,$(BUILD)/%.o,$(filter synthetic_%,$(CAPTURE_SOURCES)))

# The program that guides a capture.
GUIDE_PARTS := $(addprefix $(BUILD)/,edge_width.o guide_session.o next_view.o)

$(BUILD)/capture-guide: $(BUILD)/capture_guide.o $(GUIDE_PARTS) $(CALIBRATION_PARTS) $(CORNER_PARTS) \
  $(TAG_SEARCH_OBJECTS) $(BUILD)/orientation.o $(BUILD)/upright.o
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

CALIBRATION_TESTS := $(notdir $(basename $(wildcard $(CAPTURE_TESTS)/calibration/*.cc)))
CALIBRATION_TEST_HEADERS := $(wildcard $(CAPTURE_TESTS)/suite.h $(CAPTURE_TESTS)/calibration/*.h calibration/*.h \
  synthetic/*.h) frame.h lens_model.h pose_math.h capture/source.h

calibration-test: $(BUILD)/calibration_test
	$<

$(BUILD)/calibration_test: $(CALIBRATION_TESTS:%=$(BUILD)/calibration_test_%.o) $(CALIBRATION_PARTS) $(CORNER_PARTS) \
  $(GUIDE_PARTS) $(TAG_SEARCH_OBJECTS) $(HELD_BOARD)
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@

$(BUILD)/calibration_test_%.o: $(CAPTURE_TESTS)/calibration/%.cc $(CALIBRATION_TEST_HEADERS) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

# What compares the solver's time with OpenCV's, on the same corners.
calibration-bench: $(BUILD)/calibration-bench
	$<

$(BUILD)/calibration-bench: ../../test/bench/calibration/solve.cc $(CALIBRATION_TEST_HEADERS) $(CALIBRATION_PARTS)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -I$(CAPTURE_TESTS)/calibration -o $@.new $< $(CALIBRATION_PARTS) \
	  $(CALIBRATION_LIBRARIES)
	mv $@.new $@

# What compares the error of a calibration of drawn pictures with what is predicted.
calibration-rendered: $(BUILD)/calibration-rendered
	$<

$(BUILD)/calibration-rendered: ../../test/bench/calibration/rendered.cc $(CALIBRATION_TEST_HEADERS) \
  $(CALIBRATION_PARTS) $(CORNER_PARTS) $(TAG_SEARCH_OBJECTS) $(HELD_BOARD)
	$(CXX) -O2 $(CAPTURE_TEST_FLAGS) -I$(CAPTURE_TESTS)/calibration -o $@.new $< $(CALIBRATION_PARTS) \
	  $(CORNER_PARTS) $(TAG_SEARCH_OBJECTS) $(HELD_BOARD) $(LIBRARIES)
	mv $@.new $@

.PHONY: calibration-test calibration-bench calibration-rendered
