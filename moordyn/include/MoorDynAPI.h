/* MoorDyn's error codes and levels of messages, as libmoordyn_pintle has them. SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MOORDYN_PINTLE_API_H
#define MOORDYN_PINTLE_API_H

#define MOORDYN_SUCCESS 0
#define MOORDYN_INVALID_INPUT_FILE -1   /* a file that cannot be read, or has no meaning */
#define MOORDYN_INVALID_OUTPUT_FILE -2  /* a file that cannot be written */
#define MOORDYN_INVALID_INPUT -3        /* not returned by pintle */
#define MOORDYN_NAN_ERROR -4            /* NaN or infinity in an argument, or a step without a solution */
#define MOORDYN_MEM_ERROR -5            /* no memory; in version 1 also no system */
#define MOORDYN_INVALID_VALUE -6        /* a bad handle, pointer, number, or order of calls */
#define MOORDYN_NON_IMPLEMENTED -7      /* MoorDyn has it, pintle does not */
#define MOORDYN_UNHANDLED_ERROR -255    /* all else */

#define MOORDYN_NO_OUTPUT 4096
#define MOORDYN_ERR_LEVEL 3
#define MOORDYN_WRN_LEVEL 2
#define MOORDYN_MSG_LEVEL 1
#define MOORDYN_DBG_LEVEL 0

#endif
