/*
 * Many cases of one model on the threads of a machine (POSIX threads):
 *
 *   ensemble_threads [threads | short]       4 threads if no number is given; short: the first eight cases alone
 *
 * A system belongs to one thread at a time, different systems to any threads. So each thread takes the next case, clones the
 * platform while it holds the lock, and runs the case on its clone, while others clone and step theirs. The results are the
 * same to the last bit for any number of threads. One of the cases fails, which stops nobody.
 *
 * Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/ensemble_threads.c target/release/libpintle.a -lm -pthread -o target/ensemble_threads
 */
#include <pthread.h>
#include <stdbool.h>

#include "ensemble.h"

/* What the threads share. */
typedef struct {
    pthread_mutex_t lock;
    const pintle_system *platform; /* only cloned, under the lock */
    int32_t body;
    int cases;
    int next; /* case, under the lock */
    case_result results[ENSEMBLE_CASES];
} ensemble;

static void *work(void *shared)
{
    ensemble *e = shared;
    for (;;) {
        pintle_system *clone = NULL;
        int32_t status = PINTLE_OK;
        pthread_mutex_lock(&e->lock);
        const int i = e->next;
        if (i < e->cases) {
            e->next++;
            status = pintle_clone(e->platform, &clone);
        }
        pthread_mutex_unlock(&e->lock);
        if (i >= e->cases) {
            return NULL;
        }
        if (status != PINTLE_OK) {
            /* The thread's own last message: another thread may have failed since with the same system. */
            e->results[i].status = status;
            pintle_error_message(NULL, (int32_t)sizeof e->results[i].message, e->results[i].message, NULL);
            continue;
        }
        run_case(clone, e->body, i, &e->results[i]);
    }
}

int main(int argc, char **argv)
{
    enum { MOST_THREADS = 64 };
    const bool is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    const int threads = argc > 1 && !is_short ? atoi(argv[1]) : 4;
    REQUIRE(threads >= 1 && threads <= MOST_THREADS, "%d threads, expected 1 to %d", threads, MOST_THREADS);

    static ensemble e = {.lock = PTHREAD_MUTEX_INITIALIZER};
    e.cases = is_short ? BROKEN_CASE + 1 : ENSEMBLE_CASES;
    pintle_system *platform = create_platform(&e.body);
    e.platform = platform;

    pthread_t thread[MOST_THREADS];
    for (int k = 0; k < threads; k++) {
        REQUIRE(pthread_create(&thread[k], NULL, work, &e) == 0, "thread %d cannot be made", k);
    }
    for (int k = 0; k < threads; k++) {
        REQUIRE(pthread_join(thread[k], NULL) == 0, "thread %d was lost", k);
    }
    CHECK(platform, pintle_destroy(&platform));
    print_table(e.results, e.cases);
    return EXIT_SUCCESS;
}
