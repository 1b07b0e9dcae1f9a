# The addon with which a node of a plugin in JavaScript sees the memory that it shares with its engine.
$(BUILD)/shared_memory.node: $(BUILD)/shared_memory.o
	$(CXX) -shared -o $@.new $^
	mv $@.new $@
