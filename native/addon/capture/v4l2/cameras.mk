# A small program of its own, without Node and without any library: a driver that hangs keeps nobody but it.
$(BUILD)/cameras: $(patsubst %.cc,$(BUILD)/%.o,cameras.cc clock.cc $(V4L2_SOURCES))
	$(CXX) -pthread -o $@.new $^
	mv $@.new $@
