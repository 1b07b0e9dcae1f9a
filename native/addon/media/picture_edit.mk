# A program of its own, without Node: what a picture does to a decoder it does to nobody else.
PICTURE_EDIT_SOURCES := picture_edit.cc picture_codec.cc edit_steps.cc jpeg_errors.cc jpeg_reader.cc png_file.cc

$(BUILD)/picture-edit: $(PICTURE_EDIT_SOURCES:%.cc=$(BUILD)/%.o)
	$(CXX) -o $@.new $^ -lturbojpeg -ljpeg -lpng
	mv $@.new $@
