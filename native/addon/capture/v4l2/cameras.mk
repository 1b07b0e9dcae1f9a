# A small program of its own, without Node and without any library: a driver that hangs keeps nobody but it.
$(BUILD)/cameras: $(patsubst %.cc,$(BUILD)/%.o,cameras.cc clock.cc $(V4L2_SOURCES))
	$(CXX) -pthread -o $@.new $^
	mv $@.new $@

# The same sources for a machine that has nothing else: test/vivid runs it on a driver of the kernel.
VIVID_GUEST := ../../test/vivid/guest.cc
$(BUILD)/vivid_guest: $(VIVID_GUEST) $(CAPTURE_TEST_HEADERS) \
  $(patsubst %.cc,$(BUILD)/%.o,clock.cc source_v4l2.cc $(V4L2_SOURCES)) | $(BUILD)
	$(CXX) -O1 $(CAPTURE_TEST_FLAGS) -static -o $@.new $(filter %.cc %.o,$^)
	mv $@.new $@
