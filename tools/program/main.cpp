// tessera: the command line. See commands.h.
#include "tools/program/commands.h"

int main(int argc, char** argv) { return tessera::cli::Main(argc, argv); }
