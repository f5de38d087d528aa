/*
 * A lower bound of times: the generalized-alpha step of a chain of rigid bodies on spherical joints, written for that one
 * model with arrays of fixed size, without checks, restarts or messages. Benches report the library's times as multiples of
 * the time of this loop (benches/heavy_top.rs).
 *
 *     limit <top|N> <step> <end> <rho_inf> <tolerance> <repetitions>
 *
 * "top" is the heavy top, N a chain of N bars of half a metre that falls from a wound position. It prints the shortest
 * processor time per step of all repetitions, iterations per step, and where the last body is at the end.
 *
 * Formulas: Bruls, Cardona, Arnold, Lie group generalized-alpha time integration of constrained flexible multibody systems,
 * Mechanism and Machine Theory 48 (2012), algorithm of table 1, on R3 x SO(3) with rotations and angular velocities in body
 * axes. Each iteration eliminates the bodies, 6 unknowns at a time, and solves what is left for the multipliers: along
 * a chain that is block tridiagonal, with blocks of 3 x 3 (Thomas' algorithm).
 *
 *     g++ -O3 -march=native -ffast-math -std=c++17 benches/limit.cpp -o limit && ./limit top 1e-3 2 0.9 1e-10 7
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

/* Left alone, compilers stop inlining in the long functions below, and calls cost more than the arithmetic. */
#define INLINE static inline __attribute__((always_inline))

/* ---------------------------------------------------------------------------------------------- vectors and matrices */

struct Vector {
    double x, y, z;
};
/* By columns. */
struct Matrix {
    Vector a, b, c;
};

INLINE Vector operator+(Vector p, Vector q) { return {p.x + q.x, p.y + q.y, p.z + q.z}; }
INLINE Vector operator-(Vector p, Vector q) { return {p.x - q.x, p.y - q.y, p.z - q.z}; }
INLINE Vector operator-(Vector p) { return {-p.x, -p.y, -p.z}; }
INLINE Vector operator*(double s, Vector p) { return {s * p.x, s * p.y, s * p.z}; }
INLINE double dot(Vector p, Vector q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
INLINE Vector cross(Vector p, Vector q)
{
    return {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}
INLINE double largest(Vector p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }

INLINE Matrix operator+(const Matrix &p, const Matrix &q) { return {p.a + q.a, p.b + q.b, p.c + q.c}; }
INLINE Matrix operator-(const Matrix &p, const Matrix &q) { return {p.a - q.a, p.b - q.b, p.c - q.c}; }
INLINE Matrix operator*(double s, const Matrix &p) { return {s * p.a, s * p.b, s * p.c}; }
INLINE Vector operator*(const Matrix &p, Vector v) { return v.x * p.a + v.y * p.b + v.z * p.c; }
INLINE Matrix operator*(const Matrix &p, const Matrix &q) { return {p * q.a, p * q.b, p * q.c}; }
INLINE Vector transposed_times(const Matrix &p, Vector v) { return {dot(p.a, v), dot(p.b, v), dot(p.c, v)}; }
INLINE Matrix transpose(const Matrix &p)
{
    return {{p.a.x, p.b.x, p.c.x}, {p.a.y, p.b.y, p.c.y}, {p.a.z, p.b.z, p.c.z}};
}
INLINE Matrix diagonal(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }
/* skew(p) q = p x q */
INLINE Matrix skew(Vector p) { return {{0, p.z, -p.y}, {-p.z, 0, p.x}, {p.y, -p.x, 0}}; }
/* Rows of the inverse are the cross products of the columns over the determinant. */
INLINE Matrix inverse(const Matrix &p)
{
    const Vector bc = cross(p.b, p.c);
    const double scale = 1.0 / dot(p.a, bc);
    return transpose({scale * bc, scale * cross(p.c, p.a), scale * cross(p.a, p.b)});
}

/* Rotation exp(psi) and tangent operator T(psi) of SO(3), body axes: delta theta = T delta psi. */
INLINE void exponential(Vector psi, Matrix &rotation, Matrix &tangent)
{
    const double square = dot(psi, psi);
    double first, second, third; /* sin a / a, (1 - cos a) / a^2, (a - sin a) / a^3 */
    if (square < 1e-3) {
        first = 1 - square / 6 * (1 - square / 20 * (1 - square / 42));
        second = 0.5 - square / 24 * (1 - square / 30 * (1 - square / 56));
        third = 1.0 / 6 - square / 120 * (1 - square / 42 * (1 - square / 72));
    } else {
        const double angle = std::sqrt(square);
        first = std::sin(angle) / angle;
        second = (1 - std::cos(angle)) / square;
        third = (1 - first) / square;
    }
    const Matrix s = skew(psi), s2 = s * s, one = diagonal(1, 1, 1);
    rotation = one + first * s + second * s2;
    tangent = one - second * s + third * s2;
}

/* -------------------------------------------------------------------------------------------------------------- model */

static const Vector gravity = {0, 0, -9.81};

struct Body {
    double mass;
    Matrix inertia;
    Vector inner, outer; /* joints towards the ground and away from it, from the centre of mass, in body axes */

    Matrix rotation0, rotation; /* at the start of the step, now */
    Vector position0, position, velocity, omega;
    Vector vdot, omegadot; /* accelerations of the equations of motion */
    Vector a, alpha;       /* those of the scheme */
    Vector shift, turn;    /* increments over the step: u in I, psi in body axes */
    Vector lambda;         /* force of the inner joint, in I */
};

/* Data of a body and its inner joint in an iteration. */
struct Work {
    Matrix tangent;
    Vector force, moment, gap; /* residuals */
    Matrix arm, outer_arm;     /* d (R s) / d theta of both joints */
    Matrix flexibility;        /* S^-1: increment of the rotation vector over moment */
    Matrix inverse_diagonal, upper;
    Vector d_shift, d_turn, d_lambda;
};

static std::vector<Body> heavy_top()
{
    Body top = {};
    top.mass = 15;
    top.inertia = diagonal(0.234375, 0.46875, 0.234375);
    top.inner = {0, -1, 0};
    top.rotation0 = diagonal(1, 1, 1);
    top.position0 = {0, 1, 0};
    top.velocity = {4.61538, 0, 0};
    top.omega = {0, 150, -4.61538};
    return {top};
}

static std::vector<Body> chain(int count)
{
    std::vector<Body> bodies(static_cast<std::size_t>(count));
    Vector joint = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        Body &body = bodies[static_cast<std::size_t>(i)];
        body = {};
        body.mass = 1;
        body.inertia = diagonal(0.004, 0.021, 0.022);
        body.inner = {-0.25, 0, 0};
        body.outer = {0.25, 0, 0};
        Matrix ignored;
        exponential({0, 0.2 * std::cos(1.7 * i), 0.3 * std::sin(double(i))}, body.rotation0, ignored);
        body.position0 = joint + body.rotation0 * body.outer;
        joint = body.position0 + body.rotation0 * body.outer;
    }
    return bodies;
}

/* ---------------------------------------------------------------------------------------------------- linear equations */

/*
 * Solves for increments of positions, rotation vectors and multipliers:
 *
 *     [mass_factor M + velocity_factor C + K T, B^T; B T, 0] (d, d_lambda) = -(force, moment; gap)
 *
 * with the residuals in `work`. `with_stiffness` adds K, the change of joint forces with the rotation.
 */
static double solve(const std::vector<Body> &bodies, std::vector<Work> &work, double mass_factor, double velocity_factor,
                    bool with_stiffness)
{
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; i++) {
        const Body &body = bodies[i];
        Work &own = work[i];
        own.arm = -1.0 * (body.rotation * skew(body.inner));
        own.outer_arm = -1.0 * (body.rotation * skew(body.outer));
        Matrix s = mass_factor * body.inertia
                   + velocity_factor * (skew(body.omega) * body.inertia - skew(body.inertia * body.omega));
        if (with_stiffness) {
            Matrix k = skew(body.inner) * skew(transposed_times(body.rotation, body.lambda));
            if (i + 1 < n) {
                k = k - skew(body.outer) * skew(transposed_times(body.rotation, bodies[i + 1].lambda));
            }
            s = s + k * own.tangent;
        }
        own.flexibility = inverse(s);
    }

    /* Forward: joint i hangs on body i and on the one before it. */
    for (std::size_t i = 0; i < n; i++) {
        const double light = 1 / (mass_factor * bodies[i].mass);
        Work &own = work[i];
        const Matrix turn = own.arm * (own.tangent * own.flexibility);
        Matrix diagonal_block = turn * transpose(own.arm) + diagonal(light, light, light);
        Vector right = own.gap - light * own.force - turn * own.moment;
        own.upper = -1.0 * (turn * transpose(own.outer_arm) + diagonal(light, light, light));
        if (i > 0) {
            const double before = 1 / (mass_factor * bodies[i - 1].mass);
            const Work &other = work[i - 1];
            const Matrix other_turn = other.outer_arm * (other.tangent * other.flexibility);
            const Matrix lower = -1.0 * (other_turn * transpose(other.arm) + diagonal(before, before, before));
            diagonal_block = diagonal_block + other_turn * transpose(other.outer_arm) + diagonal(before, before, before);
            right = right + before * other.force + other_turn * other.moment;
            const Matrix factor = lower * other.inverse_diagonal;
            diagonal_block = diagonal_block - factor * other.upper;
            right = right - factor * other.d_lambda;
        }
        own.inverse_diagonal = inverse(diagonal_block);
        own.d_lambda = right;
    }

    /* Back: multipliers, then the bodies under them. */
    double size = 0;
    for (std::size_t i = n; i-- > 0;) {
        Work &own = work[i];
        const Vector next = i + 1 < n ? work[i + 1].d_lambda : Vector{0, 0, 0};
        own.d_lambda = own.inverse_diagonal * (i + 1 < n ? own.d_lambda - own.upper * next : own.d_lambda);
        const Vector moment =
            own.moment + transposed_times(own.arm, own.d_lambda) - transposed_times(own.outer_arm, next);
        own.d_shift = (-1 / (mass_factor * bodies[i].mass)) * (own.force + own.d_lambda - next);
        own.d_turn = -(own.flexibility * moment);
        size = std::max({size, largest(own.d_shift), largest(own.d_turn)});
    }
    return size;
}

/* --------------------------------------------------------------------------------------------------------------- motion */

/* Accelerations and multipliers at the start: the equations of motion with the constraints' second derivative. */
static void start(std::vector<Body> &bodies, std::vector<Work> &work)
{
    for (std::size_t i = 0; i < bodies.size(); i++) {
        Body &body = bodies[i];
        Work &own = work[i];
        body.rotation = body.rotation0;
        body.position = body.position0;
        own.tangent = diagonal(1, 1, 1);
        own.force = -body.mass * gravity;
        own.moment = cross(body.omega, body.inertia * body.omega);
        own.gap = body.rotation * cross(body.omega, cross(body.omega, body.inner));
        if (i > 0) {
            const Body &before = bodies[i - 1];
            own.gap = own.gap - before.rotation * cross(before.omega, cross(before.omega, before.outer));
        }
    }
    solve(bodies, work, 1, 0, false);
    for (std::size_t i = 0; i < bodies.size(); i++) {
        bodies[i].vdot = bodies[i].a = work[i].d_shift;
        bodies[i].omegadot = bodies[i].alpha = work[i].d_turn;
        bodies[i].lambda = work[i].d_lambda;
    }
}

struct Scheme {
    double h, alpha_m, alpha_f, gamma, beta;

    Scheme(double step, double rho)
        : h(step), alpha_m((2 * rho - 1) / (rho + 1)), alpha_f(rho / (rho + 1)), gamma(0.5 + alpha_f - alpha_m),
          beta(0.25 * (gamma + 0.5) * (gamma + 0.5))
    {
    }
};

/* One step; the number of its iterations, or 0 if they did not converge. */
static int step(const Scheme &p, double tolerance, std::vector<Body> &bodies, std::vector<Work> &work)
{
    const double mass_factor = (1 - p.alpha_m) / (p.beta * p.h * p.h * (1 - p.alpha_f));
    const double velocity_factor = p.gamma / (p.h * p.beta);
    const double scale = 1 / (1 - p.alpha_m);
    for (Body &body : bodies) {
        /* Prediction with vanishing accelerations at the end. */
        const Vector a = scale * (p.alpha_f * body.vdot - p.alpha_m * body.a);
        const Vector alpha = scale * (p.alpha_f * body.omegadot - p.alpha_m * body.alpha);
        body.shift = p.h * (body.velocity + p.h * ((0.5 - p.beta) * body.a + p.beta * a));
        body.turn = p.h * (body.omega + p.h * ((0.5 - p.beta) * body.alpha + p.beta * alpha));
        body.velocity = body.velocity + p.h * ((1 - p.gamma) * body.a + p.gamma * a);
        body.omega = body.omega + p.h * ((1 - p.gamma) * body.alpha + p.gamma * alpha);
        body.a = a;
        body.alpha = alpha;
        body.vdot = body.omegadot = {0, 0, 0};
    }
    const std::size_t n = bodies.size();
    for (int iteration = 1; iteration <= 25; iteration++) {
        for (std::size_t i = 0; i < n; i++) {
            Matrix increment;
            exponential(bodies[i].turn, increment, work[i].tangent);
            bodies[i].rotation = bodies[i].rotation0 * increment;
            bodies[i].position = bodies[i].position0 + bodies[i].shift;
        }
        for (std::size_t i = 0; i < n; i++) {
            const Body &body = bodies[i];
            Work &own = work[i];
            const Vector next = i + 1 < n ? bodies[i + 1].lambda : Vector{0, 0, 0};
            own.force = body.mass * (body.vdot - gravity) + body.lambda - next;
            own.moment = body.inertia * body.omegadot + cross(body.omega, body.inertia * body.omega)
                         + cross(body.inner, transposed_times(body.rotation, body.lambda))
                         - cross(body.outer, transposed_times(body.rotation, next));
            own.gap = body.position + body.rotation * body.inner;
            if (i > 0) {
                own.gap = own.gap - bodies[i - 1].position - bodies[i - 1].rotation * bodies[i - 1].outer;
            }
        }
        const double size = solve(bodies, work, mass_factor, velocity_factor, true);
        for (std::size_t i = 0; i < n; i++) {
            Body &body = bodies[i];
            const Work &own = work[i];
            body.shift = body.shift + own.d_shift;
            body.turn = body.turn + own.d_turn;
            body.velocity = body.velocity + velocity_factor * own.d_shift;
            body.omega = body.omega + velocity_factor * own.d_turn;
            body.vdot = body.vdot + mass_factor * own.d_shift;
            body.omegadot = body.omegadot + mass_factor * own.d_turn;
            body.lambda = body.lambda + own.d_lambda;
        }
        if (size < tolerance) {
            const double share = (1 - p.alpha_f) / (1 - p.alpha_m);
            for (Body &body : bodies) {
                Matrix increment, ignored;
                exponential(body.turn, increment, ignored);
                body.rotation0 = body.rotation0 * increment;
                body.position0 = body.position0 + body.shift;
                body.a = body.a + share * body.vdot;
                body.alpha = body.alpha + share * body.omegadot;
            }
            return iteration;
        }
    }
    return 0;
}

int main(int count, char **words)
{
    if (count != 7) {
        std::fprintf(stderr, "limit <top|N> <step> <end> <rho_inf> <tolerance> <repetitions>\n");
        return 2;
    }
    const std::vector<Body> initial = std::strcmp(words[1], "top") == 0 ? heavy_top() : chain(std::atoi(words[1]));
    const Scheme scheme(std::atof(words[2]), std::atof(words[4]));
    const long steps = std::lround(std::atof(words[3]) / scheme.h);
    const double tolerance = std::atof(words[5]);
    std::vector<Body> bodies;
    std::vector<Work> work(initial.size());
    double best = std::numeric_limits<double>::max();
    long iterations = 0;
    for (int repetition = 0; repetition < std::atoi(words[6]); repetition++) {
        bodies = initial;
        iterations = 0;
        start(bodies, work);
        const std::clock_t begin = std::clock();
        for (long i = 0; i < steps; i++) {
            const int needed = step(scheme, tolerance, bodies, work);
            if (needed == 0) {
                std::fprintf(stderr, "step %ld does not converge\n", i);
                return 1;
            }
            iterations += needed;
        }
        best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    const Vector end = bodies.back().position0;
    std::printf("{\"us\":%.5f,\"it\":%.4f,\"x\":%.15g,\"y\":%.15g,\"z\":%.15g}\n", 1e6 * best / double(steps),
                double(iterations) / double(steps), end.x, end.y, end.z);
}
