/*
 * pintle_mex: moves a model from a file, from MATLAB or Octave (docs/matlab.md).
 *
 *   names  = pintle_mex('load', file)     loads and initializes a model, in place of one before; names of its channels
 *   values = pintle_mex('step', dt, n)    makes n steps of dt; values of the channels after each, a row of `values` for a step
 *   values = pintle_mex('get')            the values at the present time
 *   pintle_mex('load_on_body', name, f)   sets the load on a body for the coming steps: forces and moments, 6 numbers in inertial axes
 *   pintle_mex('close')                   frees the model
 *
 * In the root of the repository, after cargo build --release:
 *   MATLAB:  mex -Iinclude matlab_examples/pintle_mex.c target/release/libpintle.a
 *   Octave:  mkoctfile --mex -Iinclude matlab_examples/pintle_mex.c target/release/libpintle.a
 */
#include <stdio.h>
#include <string.h>
#include "mex.h"
#include "pintle.h"

static pintle_system *sys;
static int32_t channels;

static void close_model(void)
{
    pintle_destroy(&sys);
}

/* Ends the command with the library's message, as an error that try and catch can handle. */
static void check(int32_t status)
{
    static char text[512];
    if (status == PINTLE_OK) return;
    pintle_error_message(sys, sizeof text, text, NULL);
    mexErrMsgIdAndTxt("pintle:failed", "%s: %s", pintle_status_name(status), text);
}

static void word(const mxArray *given, char *text, mwSize size)
{
    if (!mxIsChar(given) || mxGetString(given, text, size) != 0) mexErrMsgIdAndTxt("pintle:argument", "expected a short text");
}

static double number(int count, const mxArray *given[], int place)
{
    if (count <= place || !mxIsDouble(given[place]) || mxGetNumberOfElements(given[place]) != 1)
        mexErrMsgIdAndTxt("pintle:argument", "argument %d: expected a number", place + 1);
    return mxGetScalar(given[place]);
}

/* Loads a model; returns the names of its channels, a cell each. */
static mxArray *load(const mxArray *given)
{
    char text[1024];
    word(given, text, sizeof text);
    close_model();
    check(pintle_load_model(text, &sys));
    check(pintle_initialize(sys, 0.0));
    check(pintle_channel_count(sys, &channels));
    mxArray *names = mxCreateCellMatrix(channels, 1);
    for (int32_t i = 0; i < channels; i++) {
        check(pintle_channel_name(sys, i, sizeof text, text, NULL));
        mxSetCell(names, i, mxCreateString(text));
    }
    return names;
}

/* Makes steps; returns a row of channels for each, or with 0 steps one row of the present time. Columns are contiguous. */
static mxArray *step(double dt, double count)
{
    if (!(count >= 0 && count <= 1e7)) mexErrMsgIdAndTxt("pintle:argument", "argument 3: expected 0 to 1e7 steps");
    const mwSize steps = (mwSize)count, rows = steps > 0 ? steps : 1;
    mxArray *table = mxCreateDoubleMatrix(rows, channels, mxREAL);
    double *values = mxGetPr(table), *row = mxCalloc(channels, sizeof *row);
    for (mwSize n = 0; n < rows; n++) {
        if (steps > 0) check(pintle_step(sys, dt));
        check(pintle_get_channels(sys, channels, row));
        for (int32_t i = 0; i < channels; i++) values[(mwSize)i * rows + n] = row[i];
    }
    mxFree(row);
    return table;
}

static void load_on_body(int count, const mxArray *given[])
{
    char name[256];
    int32_t body;
    if (count < 3 || !mxIsDouble(given[2]) || mxGetNumberOfElements(given[2]) != 6)
        mexErrMsgIdAndTxt("pintle:argument", "expected a name and 6 numbers");
    word(given[1], name, sizeof name);
    check(pintle_find(sys, "body", name, &body));
    check(pintle_set_body_load(sys, body, PINTLE_FRAME_INERTIAL, mxGetPr(given[2])));
}

void mexFunction(int outputs, mxArray *out[], int count, const mxArray *given[])
{
    char command[32] = "";
    (void)outputs;
    mexAtExit(close_model);
    if (count > 0) word(given[0], command, sizeof command);
    if (strcmp(command, "load") == 0 && count > 1) out[0] = load(given[1]);
    else if (strcmp(command, "step") == 0) out[0] = step(number(count, given, 1), number(count, given, 2));
    else if (strcmp(command, "get") == 0) out[0] = step(0.0, 0.0);
    else if (strcmp(command, "load_on_body") == 0) load_on_body(count, given);
    else if (strcmp(command, "close") == 0) close_model();
    else mexErrMsgIdAndTxt("pintle:argument", "expected 'load' and a file, 'step', 'get', 'load_on_body' or 'close'");
}
