# Builds and runs the testbench of @NAME@ with Verilator 5 and a C++17 compiler.
#   make run            1 passed, 0 failed
#   make lint           all warnings
#   make TRACE=1 run    leaves @NAME@.vcd too
VERILATOR ?= verilator
NAME := @NAME@
BUILD := build$(if $(TRACE),-trace)
FLAGS := $(if $(TRACE),--trace -CFLAGS -DTESSERA_TRACE)

run: $(BUILD)/V$(NAME)
	$(BUILD)/V$(NAME)

# -Wno-fatal: newer Verilators know more warnings.
$(BUILD)/V$(NAME): main.cpp bench.hpp @HEADER@ ../rtl/$(NAME).v
	cd .. && $(VERILATOR) --cc --exe --build -j 0 --assert --x-initial unique -Wno-fatal $(FLAGS) \
	  -CFLAGS "-std=c++17 -O1 -I$(CURDIR)" --Mdir sim/$(BUILD) -f rtl/$(NAME).f --top-module $(NAME) \
	  $(CURDIR)/main.cpp >sim/$(BUILD).log 2>&1 || { cat sim/$(BUILD).log; exit 1; }

lint:
	cd .. && $(VERILATOR) --lint-only -Wall --assert -f rtl/$(NAME).f --top-module $(NAME)

clean:
	rm -rf build build.log build-trace build-trace.log $(NAME).vcd

.PHONY: run lint clean
