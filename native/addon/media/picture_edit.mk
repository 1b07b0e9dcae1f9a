# A program of its own, without Node: what a picture does to a decoder it does to nobody else.
$(BUILD)/picture-edit: $(patsubst %.cc,$(BUILD)/%.o,picture_edit.cc picture_codec.cc edit_steps.cc png_file.cc)
	$(CXX) -o $@.new $^ -lturbojpeg -lpng
	mv $@.new $@
