# What to type; `make help` lists it. Every target first installs what it needs (tools/setup.sh) and builds what
# it uses. How things are built stands in CMakeLists.txt and CMakePresets.json.

JOBS ?= $(shell nproc)
# How long each fuzz target runs [s]; FUZZ_RUNS=N stops it after N inputs instead, FUZZ_SEED=N repeats them.
FUZZ_SECONDS ?= 60

BUILD := cmake --build
CTEST := ctest --output-on-failure --no-tests=error --no-label-summary -j $(JOBS)
LONG := '^validate$$'

.DEFAULT_GOAL := build
# In order, one after the other: the tools below use all cores themselves.
.NOTPARALLEL:
.PHONY: build demo test validate bench bench-peers sanitize asan tsan fuzz format lint docs clean help

build: setup-build build/build.ninja ## build the release command, build/repose (the default)
	@$(BUILD) build -j $(JOBS) --target repose

demo: setup-build-film build ## build, simulate sand piling up and film it: out/demo/demo.mp4
	build/repose run examples/demo.toml -o out/demo --force
	@test -s out/demo/demo.mp4

test: setup-build-test-film build/build.ninja ## build everything and run all tests but the long ones
	@$(BUILD) build -j $(JOBS)
	@$(CTEST) --test-dir build -LE $(LONG)

validate: setup-build-test-film build/build.ninja ## the long physics cases (hours)
	@$(BUILD) build -j $(JOBS)
	@$(CTEST) --test-dir build -L $(LONG)

bench: setup-build-bench ## build and run the benchmarks; results in bench/out/
	@cmake --preset release --log-level=WARNING -DREPOSE_BENCH=ON >/dev/null
	@$(BUILD) build -j $(JOBS) --target bench
	@tools/run_bench.sh build/bench bench/out

bench-peers: setup-build-bench-peers ## time dem against LAMMPS on the same beds, as bench/peers/README.md tells
	@cmake --preset release --log-level=WARNING -DREPOSE_BENCH=ON >/dev/null
	@cmake --preset portable --log-level=WARNING -DREPOSE_BENCH=ON -DREPOSE_TESTS=OFF >/dev/null
	@$(BUILD) build -j $(JOBS) --target peers_step_scene
	@$(BUILD) build-portable -j $(JOBS) --target peers_step_scene
	@bench/peers/run.py

sanitize: asan tsan ## the tests under the address, undefined-behaviour and thread sanitizers

asan: setup-build-test-film build-asan/build.ninja
	@$(BUILD) build-asan -j $(JOBS)
	@$(CTEST) --preset asan -LE $(LONG)

tsan: setup-build-test-film build-tsan/build.ninja
	@$(BUILD) build-tsan -j $(JOBS)
	@$(CTEST) --preset tsan -LE $(LONG)

fuzz: setup-build-lint build-fuzz/build.ninja ## mutated input under sanitizers (FUZZ_SECONDS=60 or FUZZ_RUNS=1000000)
	@$(BUILD) build-fuzz -j $(JOBS) --target fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SEED=$(FUZZ_SEED) tools/run_fuzz.sh build-fuzz/fuzz

format: setup-lint ## let clang-format rewrite all C++ files
	@tools/format.sh

lint: setup-build-lint build ## layer check and clang-tidy
	@/usr/bin/python3 tools/check_layers.py
	@/usr/bin/python3 tools/lint.py build

docs: build ## write docs/scene-reference.md from the table of scene keys
	@build/repose reference > build/scene-reference.md
	@cp build/scene-reference.md docs/scene-reference.md
	@echo "wrote docs/scene-reference.md"

clean: ## remove all build folders (runs in out/ stay)
	rm -rf build build-*

help: ## this list
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1 \2/p' Makefile | while read -r name text; do \
	  printf '  %-11s %s\n' "$$name" "$$text"; done

# setup-A-B installs what the groups A and B of tools/setup.sh need.
setup-%:
	@tools/setup.sh $(subst -, ,$*)

# One build folder a preset; ninja repeats the configuration itself where it must.
build/build.ninja: CMakePresets.json
	@cmake --preset release --log-level=WARNING >/dev/null
	@touch $@
build-%/build.ninja: CMakePresets.json
	@cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@
