# What finds tags, without the nodes and the engine around it: for programs that need no more.
TAG_SEARCH_OBJECTS := $(patsubst %.cc,$(BUILD)/%.o,$(notdir $(wildcard detector/*.cc)) \
  reference_search.cc tag_family.cc aruco_family.cc aruco_codes.cc picture.cc jpeg_errors.cc jpeg_reader.cc \
  png_file.cc clock.cc)

# The program that has both detectors look at pictures, for `npm run compare`.
COMPARE_OBJECTS := $(patsubst %.cc,$(BUILD)/%.o,compare.cc both_detectors.cc side_by_side.cc tag_detector.cc \
  picture_turn.cc tag_places.cc params.cc image.cc pen.cc orientation.cc upright.cc)

$(BUILD)/compare: $(COMPARE_OBJECTS) $(TAG_SEARCH_OBJECTS)
	$(CXX) -o $@.new $^ $(LIBRARIES)
	mv $@.new $@
