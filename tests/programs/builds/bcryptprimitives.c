/*
 * The one function of bcryptprimitives.dll that Rust's standard library imports, for Wine 8, which has no such library:
 * scripts/packages/check compiles it for tests.
 */
#include <windows.h>

#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T n)
{
    return RtlGenRandom(bytes, (ULONG)n);
}
