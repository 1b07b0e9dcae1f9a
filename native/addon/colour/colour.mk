# The program that finds a colour chart in a picture.
COLOUR_CHART_PARTS := $(addprefix $(BUILD)/,colour_chart.o chart_patches.o chart_search.o)

$(BUILD)/colour-chart: $(COLOUR_CHART_PARTS) $(BUILD)/marker_search.o $(BUILD)/picture_codec.o $(BUILD)/edit_steps.o \
  $(BUILD)/orientation.o $(TAG_SEARCH_OBJECTS)
	$(CXX) -pthread -o $@.new $^ $(LIBRARIES)
	mv $@.new $@
