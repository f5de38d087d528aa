/*
 * Many cases of one model on the ranks of MPI: mpirun -n 4 ./ensemble_mpi. Case i runs on rank i mod size.
 *
 * Every rank describes the platform itself, clones it for each of its cases, and sends what came of them to rank 0, which
 * prints the table. The results are the same to the last bit for any number of ranks. One of the cases fails: its rank goes on
 * with the next, and nobody calls MPI_Abort.
 *
 * Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   mpicc -Iinclude c_examples/ensemble_mpi.c target/release/libpintle.a -lm -o target/ensemble_mpi
 */
#include <mpi.h>

#include "ensemble.h"

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int32_t body;
    pintle_system *platform = create_platform(&body);
    static case_result results[ENSEMBLE_CASES];
    for (int i = rank; i < ENSEMBLE_CASES; i += size) {
        pintle_system *clone = NULL;
        const int32_t status = pintle_clone(platform, &clone);
        if (status == PINTLE_OK) {
            run_case(clone, body, i, &results[i]);
        } else {
            results[i].status = status;
            pintle_error_message(NULL, (int32_t)sizeof results[i].message, results[i].message, NULL);
        }
        if (rank != 0) {
            MPI_Send(&results[i], (int)sizeof results[i], MPI_BYTE, 0, i, MPI_COMM_WORLD);
        }
    }
    CHECK(platform, pintle_destroy(&platform));

    if (rank == 0) {
        for (int i = 0; i < ENSEMBLE_CASES; i++) {
            if (i % size != 0) {
                MPI_Recv(&results[i], (int)sizeof results[i], MPI_BYTE, i % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
        print_table(results, ENSEMBLE_CASES);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
