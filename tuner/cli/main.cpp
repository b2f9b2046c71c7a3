#include "tuner/cli/commands.h"

int main(int argc, char** argv) {
    return redtune::cli::run_redtune(argc, argv);
}
