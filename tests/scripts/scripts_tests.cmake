# script_signals: scripts that are ended by a signal.
add_test(NAME script_signals COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/signals_test.py")
