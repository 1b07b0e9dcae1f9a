# The launcher that confines the programs of plugins. Without any library: what it starts shall inherit nothing.
CONFINE_SOURCES := vedette_confine.cc confine_options.cc confine_report.cc new_root.cc landlock.cc system_calls.cc \
  process_limits.cc first_process.cc usage_watch.cc

$(BUILD)/vedette-confine: $(CONFINE_SOURCES:%.cc=$(BUILD)/%.o)
	$(CXX) -static-libstdc++ -static-libgcc -o $@.new $^
	mv $@.new $@
