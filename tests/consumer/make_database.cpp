#include <exception>
#include <iostream>

#include "db/store.h"
#include "tests/support/database_fixture.h"

/// Writes a database with one winner, which examples/query then looks up. Usage: make_database FILE
int main(int argc, char** argv) {
    try {
        redtune::db::Store store = redtune::db::Store::open(argv[argc - 1], redtune::db::Access::read_write);
        redtune::db::add_winner(store, redtune::db::h200(), {}, 1'000'000, redtune::Regime::cold,
                                redtune::db::candidate(), 2.0);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
