/* The functions of MoorDyn 2 as libmoordyn_pintle exports them (docs/moordyn_abi.md). SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Handles: a system is owned by the host, from MoorDyn_Create to MoorDyn_Close; its parts are borrowed and live as long. Parts are
 * numbered from 1 in the order of the file, nodes from 0 at end A. Functions return MOORDYN_SUCCESS or an error code; the message is
 * in the log, and in PintleMoorDyn_LastError. NULL in place of a handle or a result is MOORDYN_INVALID_VALUE unless said otherwise.
 * A system is used by one thread at a time; several systems may be used at the same time. SI units, z upwards, angles in rad.
 */
#ifndef MOORDYN_PINTLE_MOORDYN2_H
#define MOORDYN_PINTLE_MOORDYN2_H

#include "MoorDynAPI.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct __MoorDyn *MoorDyn;
typedef struct __MoorDynWaves *MoorDynWaves;
typedef struct __MoorDynSeafloor *MoorDynSeafloor;
typedef struct __MoorDynBody *MoorDynBody;
typedef struct __MoorDynRod *MoorDynRod;
typedef struct __MoorDynPoint *MoorDynPoint;
typedef struct __MoorDynLine *MoorDynLine;

/* ---- The system ---- */

/* NULL or "": Mooring/lines.txt. Returns NULL if that fails. */
MoorDyn MoorDyn_Create(const char *infilename);
int MoorDyn_Close(MoorDyn system);
/* The length of x, xd and f: 6 for each coupled body, then 3 for each coupled point, in the order of the file. */
int MoorDyn_NCoupledDOF(MoorDyn system, unsigned int *n);

/* Levels of messages: standard error (usually warnings and errors), the log file (usually all but MOORDYN_DBG_LEVEL). */
int MoorDyn_SetVerbosity(MoorDyn system, int verbosity);
int MoorDyn_SetLogFile(MoorDyn system, const char *log_path);
int MoorDyn_SetLogLevel(MoorDyn system, int verbosity);
int MoorDyn_Log(MoorDyn system, int level, const char *msg);

/* Starts at time 0, once. xd may be NULL: at rest; x too if nothing is coupled. NoIC: free points are not brought to rest. */
int MoorDyn_Init(MoorDyn system, const double *x, const double *xd);
int MoorDyn_Init_NoIC(MoorDyn system, const double *x, const double *xd);
/* Advances by dt. x + xd dt are positions and angles at the end of the step, xd velocities and angular velocities there (but see
 * PintleMoorDyn_SetMotion). f: forces of the system on coupled objects at the end. t: output only, the system's own time.
 * dt <= 0: forces of the present time. A step that fails changes nothing. */
int MoorDyn_Step(MoorDyn system, const double *x, const double *xd, double *f, double *t, double *dt);

int MoorDyn_GetNumberBodies(MoorDyn system, unsigned int *n);
int MoorDyn_GetNumberRods(MoorDyn system, unsigned int *n);
int MoorDyn_GetNumberPoints(MoorDyn system, unsigned int *n);
int MoorDyn_GetNumberLines(MoorDyn system, unsigned int *n);
/* NULL if there is none of this number. */
MoorDynBody MoorDyn_GetBody(MoorDyn system, unsigned int b);
MoorDynRod MoorDyn_GetRod(MoorDyn system, unsigned int r);
MoorDynPoint MoorDyn_GetPoint(MoorDyn system, unsigned int c);
MoorDynPoint MoorDyn_GetConnection(MoorDyn system, unsigned int c);
MoorDynLine MoorDyn_GetLine(MoorDyn system, unsigned int l);
MoorDynWaves MoorDyn_GetWaves(MoorDyn system);
MoorDynSeafloor MoorDyn_GetSeafloor(MoorDyn system);

/* The step, Courant number and scheme are stored and have no effect. */
int MoorDyn_GetDt(MoorDyn system, double *dt);
int MoorDyn_SetDt(MoorDyn system, double dt);
int MoorDyn_GetCFL(MoorDyn system, double *cfl);
int MoorDyn_SetCFL(MoorDyn system, double cfl);
/* name, name_len: either may be NULL; the length counts the NUL. */
int MoorDyn_GetTimeScheme(MoorDyn system, char *name, size_t *name_len);
int MoorDyn_SetTimeScheme(MoorDyn system, const char *name);

/* States: files and bytes of this library only, of a system from the same input file, after MoorDyn_Init or MoorDyn_Init_NoIC. */
int MoorDyn_SaveState(MoorDyn system, const char *filepath);
int MoorDyn_LoadState(MoorDyn system, const char *filepath);
int MoorDyn_Save(MoorDyn system, const char *filepath);
int MoorDyn_Load(MoorDyn system, const char *filepath);
/* size in bytes, data: either may be NULL. */
int MoorDyn_Serialize(MoorDyn system, size_t *size, uint64_t *data);
int MoorDyn_Deserialize(MoorDyn system, const uint64_t *data);

/* The end of the line becomes a new point, the last one. */
int MoorDyn_BreakLine(MoorDyn system, MoorDynPoint point, MoorDynLine line);
int MoorDyn_GetFASTtens(MoorDyn system, const int *numLines, float FairHTen[], float FairVTen[], float AnchHTen[], float AnchVTen[]);
int MoorDyn_SaveVTK(MoorDyn system, const char *filename);

/* ---- Water ---- */

/* The host gives the motion of the water at n places: nodes of lines, points, the ground, bodies. It holds until set again. */
int MoorDyn_ExternalWaveKinInit(MoorDyn system, unsigned int *n);
int MoorDyn_ExternalWaveKinGetN(MoorDyn system, unsigned int *n);
int MoorDyn_ExternalWaveKinGetCoordinates(MoorDyn system, double *r);
int MoorDyn_ExternalWaveKinSet(MoorDyn system, const double *U, const double *Ud, double t);
int MoorDyn_GetWaveKinCoordinates(MoorDyn system, double *r);
int MoorDyn_SetWaveKin(MoorDyn system, const double *U, const double *Ud, double t);
/* The steady current. Results may be NULL. */
int MoorDyn_GetWavesKin(MoorDynWaves waves, double x, double y, double z, double U[3], double Ud[3], double *zeta, double *PDyn,
                        MoorDynSeafloor seafloor);
double WaveNumber(double Omega, double g, double h);
int MoorDyn_GetDepthAt(MoorDynSeafloor seafloor, double x, double y, double *depth);
int MoorDyn_GetAverageDepth(MoorDynSeafloor seafloor, double *avgDepth);
int MoorDyn_GetMinDepth(MoorDynSeafloor seafloor, double *minDepth);

/* ---- Bodies: angles about x, the new y, the new z; -1 coupled, 0 free, 1 fixed, 2 coupled and pinned ---- */

int MoorDyn_GetBodyID(MoorDynBody b, int *id);
int MoorDyn_GetBodyType(MoorDynBody b, int *t);
int MoorDyn_GetBodyState(MoorDynBody b, double r[6], double rd[6]);
int MoorDyn_GetBodyPos(MoorDynBody b, double r[3]);
int MoorDyn_GetBodyAngle(MoorDynBody b, double r[3]);
int MoorDyn_GetBodyVel(MoorDynBody b, double rd[3]);
int MoorDyn_GetBodyAngVel(MoorDynBody b, double rd[3]);
/* Of coupled and fixed bodies with inertia; of free ones mass matrix times acceleration; of pinned ones no moment. */
int MoorDyn_GetBodyForce(MoorDynBody b, double f[6]);
int MoorDyn_GetBodyM(MoorDynBody b, double m[6][6]);
int MoorDyn_SaveBodyVTK(MoorDynBody b, const char *filename);

/* ---- Rods: -2 coupled, -1 coupled and pinned, 0 free, 1 pinned, 2 part of a body or of the ground ---- */

int MoorDyn_GetRodID(MoorDynRod l, int *id);
int MoorDyn_GetRodType(MoorDynRod l, int *t);
/* About end A; of a rod that is part of a body or of the ground all but inertia and what holds it. */
int MoorDyn_GetRodForce(MoorDynRod l, double f[6]);
int MoorDyn_GetRodM(MoorDynRod l, double m[6][6]);
int MoorDyn_GetRodN(MoorDynRod l, unsigned int *n);
int MoorDyn_GetRodNumberNodes(MoorDynRod l, unsigned int *n);
int MoorDyn_GetRodNodePos(MoorDynRod l, unsigned int i, double pos[3]);
int MoorDyn_GetRodNodeVel(MoorDynRod l, unsigned int i, double vel[3]);
int MoorDyn_SaveRodVTK(MoorDynRod l, const char *filename);

/* ---- Points: -1 coupled, 0 free, 1 fixed or on a body ---- */

int MoorDyn_GetPointID(MoorDynPoint point, int *id);
int MoorDyn_GetPointType(MoorDynPoint point, int *t);
int MoorDyn_GetPointPos(MoorDynPoint point, double pos[3]);
int MoorDyn_GetPointVel(MoorDynPoint point, double v[3]);
/* Lines, weight, buoyancy, drag, without inertia. */
int MoorDyn_GetPointForce(MoorDynPoint point, double f[3]);
int MoorDyn_GetPointM(MoorDynPoint point, double m[3][3]);
int MoorDyn_GetPointNAttached(MoorDynPoint point, unsigned int *n);
/* e: 0 end A, 1 end B. */
int MoorDyn_GetPointAttached(MoorDynPoint point, unsigned int i, MoorDynLine *l, int *e);
int MoorDyn_SavePointVTK(MoorDynPoint point, const char *filename);

/* ---- Lines ---- */

int MoorDyn_GetLineID(MoorDynLine l, int *id);
int MoorDyn_GetLineN(MoorDynLine l, unsigned int *n);
int MoorDyn_GetLineNumberNodes(MoorDynLine l, unsigned int *n);
int MoorDyn_GetLineUnstretchedLength(MoorDynLine l, double *ul);
/* Reached at the end of the next step. */
int MoorDyn_SetLineUnstretchedLength(MoorDynLine l, double ul);
/* Holds until another rate is set. */
int MoorDyn_SetLineUnstretchedLengthVel(MoorDynLine l, double v);
int MoorDyn_IsLineConstantEA(MoorDynLine l, int *b);
int MoorDyn_GetLineConstantEA(MoorDynLine l, double *EA);
int MoorDyn_SetLineConstantEA(MoorDynLine l, double EA);
int MoorDyn_IsLinePressBend(MoorDynLine l, int *b);
int MoorDyn_SetLinePressBend(MoorDynLine l, int b);
int MoorDyn_SetLinePressInt(MoorDynLine l, const double *p);
int MoorDyn_GetLineNodePos(MoorDynLine l, unsigned int i, double pos[3]);
int MoorDyn_GetLineNodeVel(MoorDynLine l, unsigned int i, double vel[3]);
int MoorDyn_GetLineNodeForce(MoorDynLine l, unsigned int i, double f[3]);
int MoorDyn_GetLineNodeTen(MoorDynLine l, unsigned int i, double t[3]);
/* Of the next five only the weight; the others are MOORDYN_NON_IMPLEMENTED. */
int MoorDyn_GetLineNodeBendStiff(MoorDynLine l, unsigned int i, double t[3]);
int MoorDyn_GetLineNodeWeight(MoorDynLine l, unsigned int i, double f[3]);
int MoorDyn_GetLineNodeDrag(MoorDynLine l, unsigned int i, double f[3]);
int MoorDyn_GetLineNodeFroudeKrilov(MoorDynLine l, unsigned int i, double f[3]);
int MoorDyn_GetLineNodeSeabedForce(MoorDynLine l, unsigned int i, double f[3]);
int MoorDyn_GetLineNodeCurv(MoorDynLine l, unsigned int i, double *c);
int MoorDyn_GetLineNodeM(MoorDynLine l, unsigned int i, double m[3][3]);
int MoorDyn_GetLineFairTen(MoorDynLine l, double *t);
int MoorDyn_GetLineMaxTen(MoorDynLine l, double *t);
int MoorDyn_SaveLineVTK(MoorDynLine l, const char *filename);

/* ---- pintle's own ---- */

/* Copies the message of the last failed call of this thread, cut to cap bytes with its NUL; returns its length without it. */
size_t PintleMoorDyn_LastError(size_t cap, char *message);
/* The meaning of x in MoorDyn_Step: 0 (default, MoorDyn's): at the start, so that the step ends at x + xd dt; 1: at the end.
 * The environment variable PINTLE_MOORDYN_MOTION, "start" or "end", sets it for all systems when they are created. */
int PintleMoorDyn_SetMotion(MoorDyn system, int motion);
/* The longest inner step in seconds, default 0.05; also PINTLE_MOORDYN_STEP. */
int PintleMoorDyn_SetMaxStep(MoorDyn system, double step);

#ifdef __cplusplus
}
#endif

#endif
