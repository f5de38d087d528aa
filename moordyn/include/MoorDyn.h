/* The functions of MoorDyn 1, of one system per process, and older names, as libmoordyn_pintle exports them (docs/moordyn_abi.md).
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MOORDYN_PINTLE_MOORDYN_H
#define MOORDYN_PINTLE_MOORDYN_H

#include "MoorDynAPI.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x, xd, f, t, dt: see MoorDyn_Init and MoorDyn_Step. A file that fails: MOORDYN_UNHANDLED_ERROR. */
int MoorDynInit(const double x[], const double xd[], const char *infilename);
int MoorDynStep(const double x[], const double xd[], double f[], double *t, double *dt);
int MoorDynClose(void);

/* Without a system: 0. */
int externalWaveKinInit(void);
void getWaveKinCoordinates(double r_out[]);
void setWaveKin(const double U_in[], const double Ud_in[], double t_in);

/* Lines and points are numbered from 1, nodes from 0. Without a system: -1 and MOORDYN_MEM_ERROR. */
double GetFairTen(int l);
int GetFASTtens(int *numLines, float FairHTen[], float FairVTen[], float AnchHTen[], float AnchVTen[]);
int GetPointPos(int l, double pos[3]);
int GetPointForce(int l, double force[3]);
int GetNodePos(int LineNum, int NodeNum, double pos[3]);

/* Does nothing: steps write the output. */
void AllOutput(double t, double dt);
/* Messages of systems to come on standard error: 0 on, else off. */
void SetDisableConsole(int disable);

/* Older names. LinesInit reads Mooring/lines.txt. */
int GetConnectPos(int l, double pos[3]);
int GetConnectForce(int l, double force[3]);
int LinesInit(double x[], double xd[]);
int LinesCalc(double x[], double xd[], double f[], double *t, double *dt);
int FairleadsCalc2(double x[], double xd[], double f[], double *t, double *dt);
int LinesClose(void);

#ifdef __cplusplus
}
#endif

#endif
