# The exam of all that decodes JPEGs: pictures that are damaged on purpose, with djpeg of libjpeg-turbo as the judge.
# `make jpeg-exam` damages so many RUNS of them from a SEED; the first that goes wrong stays in
# build/jpeg_exam_failed.jpg. Shares the addon's objects.
JPEG_EXAM := $(wildcard $(CAPTURE_TESTS)/jpeg_exam/*.cc)
JPEG_EXAM_HEADERS := $(wildcard $(CAPTURE_TESTS)/jpeg_exam/*.h jpeg/*.h capture/*.h media/*.h *.h)
JPEG_EXAM_SOURCES := $(JPEG_SOURCES) jpeg_crop.cc picture.cc picture_codec.cc edit_steps.cc png_file.cc clock.cc
JPEG_EXAM_OBJECTS := $(JPEG_EXAM_SOURCES:%.cc=$(BUILD)/%.o)
jpeg-exam: RUNS := 2000
jpeg-exam: SEED := 1

jpeg-exam: $(BUILD)/jpeg_exam
	$< $(RUNS) $(SEED) $(BUILD)/jpeg_exam_failed.jpg

$(BUILD)/jpeg_exam: $(JPEG_EXAM:$(CAPTURE_TESTS)/jpeg_exam/%.cc=$(BUILD)/jpeg_exam_%.o) $(JPEG_EXAM_OBJECTS)
	$(CXX) -pthread -o $@.new $^ -lturbojpeg -ljpeg -lpng
	mv $@.new $@

$(BUILD)/jpeg_exam_%.o: $(CAPTURE_TESTS)/jpeg_exam/%.cc $(JPEG_EXAM_HEADERS) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -c -o $@.new $<
	mv $@.new $@

.PHONY: jpeg-exam
