/*
 * Linked to a program, this makes invalid operations, divisions by zero and overflows deadly before main starts: what
 * gfortran -ffpe-trap=invalid,zero,overflow does, and OpenFAST in its debug builds.
 */
#ifndef _GNU_SOURCE /* g++ defines it by itself */
#define _GNU_SOURCE
#endif
#include <fenv.h>

__attribute__((constructor)) static void trap(void)
{
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
}
