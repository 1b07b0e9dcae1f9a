# The program that asks what is on an I2C bus.
$(BUILD)/vedette-i2c: $(BUILD)/vedette_i2c.o
	$(CXX) -static-libstdc++ -static-libgcc -o $@.new $^
	mv $@.new $@
