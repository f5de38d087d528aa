/* A host as OpenFOAM's coupling calls MoorDyn: states before each step, steps repeated from them, and version 1 beside it. Floating-point
 * exceptions are trapped, as OpenFOAM does. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "MoorDyn.h"
#include "MoorDyn2.h"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                           \
    do {                                                                           \
        if (!(condition)) {                                                        \
            char message[512];                                                     \
            PintleMoorDyn_LastError(sizeof message, message);                      \
            printf("line %d: %s: %s\n", __LINE__, #condition, message);            \
            return 1;                                                              \
        }                                                                          \
    } while (0)

int main(void)
{
    MoorDyn system = MoorDyn_Create("lines.txt");
    unsigned int dofs = 0, lines = 0, nodes = 0;
    double x[3], xd[3] = {0.2, 0.0, 0.0}, f[3], first[3], t = 0.0, dt = 0.05, tension = 0.0, r[3];
    size_t size = 0;
    uint64_t *state;
    int k, repeat;

    CHECK(system != NULL);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    CHECK(MoorDyn_NCoupledDOF(system, &dofs) == MOORDYN_SUCCESS && dofs == 3);
    CHECK(MoorDyn_GetPointPos(MoorDyn_GetPoint(system, 2), x) == MOORDYN_SUCCESS);
    CHECK(MoorDyn_Init(system, x, NULL) == MOORDYN_SUCCESS);
    CHECK(MoorDyn_Serialize(system, &size, NULL) == MOORDYN_SUCCESS);
    state = (uint64_t *)malloc(size);
    for (k = 0; k < 20; k++) {
        CHECK(MoorDyn_Serialize(system, NULL, state) == MOORDYN_SUCCESS);
        for (repeat = 0; repeat < 3; repeat++) {
            if (repeat > 0)
                CHECK(MoorDyn_Deserialize(system, state) == MOORDYN_SUCCESS);
            CHECK(MoorDyn_Step(system, x, xd, f, &t, &dt) == MOORDYN_SUCCESS);
            if (repeat == 0)
                memcpy(first, f, sizeof f);
            CHECK(memcmp(first, f, sizeof f) == 0);
        }
        x[0] += xd[0] * dt;
    }
    CHECK(fabs(t - 1.0) < 1e-9 && f[0] > 0.0 && f[2] < 0.0);
    CHECK(MoorDyn_GetNumberLines(system, &lines) == MOORDYN_SUCCESS && lines == 1);
    CHECK(MoorDyn_GetLineNumberNodes(MoorDyn_GetLine(system, 1), &nodes) == MOORDYN_SUCCESS && nodes == 21);
    CHECK(MoorDyn_GetLineNodePos(MoorDyn_GetLine(system, 1), 20, r) == MOORDYN_SUCCESS && fabs(r[0] - x[0]) < 1e-9);
    CHECK(MoorDyn_GetLineFairTen(MoorDyn_GetLine(system, 1), &tension) == MOORDYN_SUCCESS && tension > 8e5);
    CHECK(MoorDyn_GetLineNodePos(MoorDyn_GetLine(system, 1), 21, r) == MOORDYN_INVALID_VALUE);
    CHECK(MoorDyn_Close(system) == MOORDYN_SUCCESS);
    free(state);

    x[0] = 5.2;
    CHECK(MoorDynInit(x, xd, "lines.txt") == MOORDYN_SUCCESS);
    CHECK(MoorDynStep(x, xd, f, &t, &dt) == MOORDYN_SUCCESS && fabs(t - dt) < 1e-12);
    CHECK(GetFairTen(1) > 8e5);
    CHECK(MoorDynClose() == MOORDYN_SUCCESS);
    puts("as it should be");
    return 0;
}
