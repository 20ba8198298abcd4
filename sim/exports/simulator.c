/* The simulation of one manipulator: rigid bodies, drives, controllers, as one implicit system.
 *
 * arm.h, generated beside this file, has its numbers and the layout of Drive and State. The equations are those
 * of the workbench (sim/chain, sim/drives): implicit midpoint rule, dry friction that sticks, elastic gears of
 * three lines, current loop, two nodes of heat, end stops. The base stands. Link: lines of text, see README.md.
 */

#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arm.h"

enum { OFF, CASCADE, IMPEDANCE };
enum { FREE = 0, STANDS = 2 }; /* and 1, -1: slides forwards, backwards */

#define NEAR 1e-9     /* rad, m: twists so near that the mean of the torques stands for their energies */
#define NEAR_END 1e-12 /* the same of positions at an end stop */
#define HOT 0.9       /* of the winding's limit: from here on the current's limit falls */
#define SAME_TURN 1e-13 /* relative, of speeds */
#define SAME 1e-11    /* rad/s, m/s: change of a joint's speed at which a step is solved */
#define ROUNDS 60
#define TURNS 40
#define CASES 12
#define FASTEST 1e12  /* rad/s2, m/s2 */

typedef double Pose[3][4];

static Drive drives[N];
static State states[N];
static double clock_s, base_wrench[6], wrench_tip[6];
static double q_command[N], dq_command[N], tip_position[3], tip_rotation[3][3];
static int by_tip;

/* ---- rigid bodies ---------------------------------------------------------------------------------- */

static void cross(double out[3], const double a[3], const double b[3]) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static void turned(double out[3], Pose T, const double v[3]) {
    for (int k = 0; k < 3; k++) out[k] = T[k][0] * v[0] + T[k][1] * v[1] + T[k][2] * v[2];
}

static void compose(Pose out, Pose A, Pose B) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) out[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
        out[i][3] += A[i][3];
    }
}

static void joint_motion(Pose out, int linear, const double axis[3], double q) {
    double x = axis[0], y = axis[1], z = axis[2];
    double c = linear ? 1.0 : cos(q), s = linear ? 0.0 : sin(q), u = 1.0 - c, way = linear ? q : 0.0;
    Pose T = {{c + u * x * x, u * x * y - s * z, u * x * z + s * y, x * way},
              {u * x * y + s * z, c + u * y * y, u * y * z - s * x, y * way},
              {u * x * z - s * y, u * y * z + s * x, c + u * z * z, z * way}};
    memcpy(out, T, sizeof T);
}

/* Poses of the N + 1 bodies in the base, and last of the tip; and the joints' axes in base axes. */
static void place(Pose poses[N + 2], double axes[N][3], const double q[N]) {
    Pose placed, motion, base = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memcpy(poses[0], base, sizeof base);
    for (int i = 0; i < N; i++) {
        compose(placed, poses[i], placements[i]);
        joint_motion(motion, linear[i], joint_axes[i], q[i]);
        compose(poses[i + 1], placed, motion);
        turned(axes[i], poses[i + 1], joint_axes[i]);
    }
    compose(poses[N + 1], poses[N], last_to_tip);
}

static void inertia_times(double out[3], Pose T, double I[3][3], const double v[3]) {
    double body[3], local[3];
    for (int k = 0; k < 3; k++) body[k] = T[0][k] * v[0] + T[1][k] * v[1] + T[2][k] * v[2];
    for (int k = 0; k < 3; k++) local[k] = I[k][0] * body[0] + I[k][1] * body[1] + I[k][2] * body[2];
    turned(out, T, local);
}

/* What the joints must give for a motion, and what the base gives to the chain (Newton and Euler). */
static void forces(double tau[N], double base[6], Pose poses[N + 2], double axes[N][3], const double dq[N],
                   const double ddq[N], const double wrench[6]) {
    double force[N + 1][3] = {{0}}, moment[N + 1][3] = {{0}};
    double w[3] = {0}, alpha[3] = {0}, acc[3] = {0}, r[3], c[3], t[3], u[3];
    for (int i = 0; i <= N; i++) {
        if (i > 0) {
            const double *a = axes[i - 1];
            double rate = dq[i - 1], rise = ddq[i - 1];
            for (int k = 0; k < 3; k++) r[k] = poses[i][k][3] - poses[i - 1][k][3];
            cross(t, w, r);
            cross(u, w, t);
            cross(t, alpha, r);
            for (int k = 0; k < 3; k++) acc[k] += t[k] + u[k];
            cross(t, w, a);
            for (int k = 0; k < 3; k++) {
                if (linear[i - 1]) acc[k] += a[k] * rise + 2.0 * rate * t[k];
                else alpha[k] += a[k] * rise + rate * t[k], w[k] += a[k] * rate;
            }
        }
        turned(c, poses[i], centres[i]);
        cross(t, w, c);
        cross(u, w, t);
        cross(t, alpha, c);
        for (int k = 0; k < 3; k++) force[i][k] = masses[i] * (acc[k] + t[k] + u[k] - gravity[k]);
        inertia_times(t, poses[i], inertias[i], w);
        cross(u, w, t);
        inertia_times(t, poses[i], inertias[i], alpha);
        cross(r, c, force[i]);
        for (int k = 0; k < 3; k++) moment[i][k] = t[k] + u[k] + r[k];
    }
    double total[3], torque[3];
    for (int k = 0; k < 3; k++) total[k] = -wrench[k], torque[k] = -wrench[3 + k];
    for (int i = N; i >= 0; i--) {
        for (int k = 0; k < 3; k++) r[k] = poses[i + 1][k][3] - poses[i][k][3];
        cross(t, r, total);
        for (int k = 0; k < 3; k++) torque[k] += t[k] + moment[i][k], total[k] += force[i][k];
        if (i > 0) {
            const double *a = axes[i - 1], *along = linear[i - 1] ? total : torque;
            tau[i - 1] = a[0] * along[0] + a[1] * along[1] + a[2] * along[2] + armatures[i - 1] * ddq[i - 1];
        }
    }
    for (int k = 0; k < 3; k++) base[k] = total[k], base[3 + k] = torque[k];
}

/* The mass matrix by composite bodies, momenta about the base's origin. */
static void mass_matrix(double M[N][N], Pose poses[N + 2], double axes[N][3]) {
    double S[N][6] = {{0}}, mass = 0.0, first[3] = {0}, second[3][3] = {{0}};
    for (int i = 0; i < N; i++) {
        double p[3] = {poses[i + 1][0][3], poses[i + 1][1][3], poses[i + 1][2][3]};
        if (linear[i]) memcpy(S[i], axes[i], sizeof axes[i]);
        else cross(S[i], p, axes[i]), memcpy(S[i] + 3, axes[i], sizeof axes[i]);
    }
    for (int i = N - 1; i >= 0; i--) {
        double m = masses[i + 1], p[3], momentum[6], t[3];
        Pose *T = &poses[i + 1];
        turned(p, *T, centres[i + 1]);
        for (int k = 0; k < 3; k++) p[k] += (*T)[k][3];
        double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        mass += m;
        for (int k = 0; k < 3; k++) {
            first[k] += m * p[k];
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++) sum += (*T)[k][a] * inertias[i + 1][a][b] * (*T)[j][b];
                second[k][j] += sum + m * ((k == j ? square : 0.0) - p[k] * p[j]);
            }
        }
        cross(momentum, S[i] + 3, first);
        cross(momentum + 3, first, S[i]);
        for (int k = 0; k < 3; k++) {
            momentum[k] += mass * S[i][k];
            t[k] = second[k][0] * S[i][3] + second[k][1] * S[i][4] + second[k][2] * S[i][5];
            momentum[3 + k] += t[k];
        }
        for (int j = 0; j <= i; j++) {
            M[i][j] = 0.0;
            for (int k = 0; k < 6; k++) M[i][j] += S[j][k] * momentum[k];
            M[j][i] = M[i][j];
        }
        M[i][i] += armatures[i];
    }
}

/* A x = b for a symmetric, positive definite A, which is overwritten. */
static void solve(double x[N], double A[N][N], const double b[N]) {
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < N; i++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }
    for (int i = 0; i < N; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= A[i][k] * x[k];
        x[i] /= A[i][i];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++) x[i] -= A[k][i] * x[k];
        x[i] /= A[i][i];
    }
}

/* ---- drives ---------------------------------------------------------------------------------------- */

typedef struct { double angle, speed, torque, limit, resistance; int on; } Order;
typedef struct { double current, voltage, reference, error, by_omega, by_torque; int free; } Electric;
typedef struct { double g, slope, torque, by_omega, by_q, g_by_q; } Shaft;
typedef struct { double torque, stored, k; int line; } Spring;
typedef struct { double forwards, backwards, stick, stick_back, viscous; } Dry;
typedef struct { double omega, friction; int stands; } Turn;

static double clipped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static void lines(const Drive *d, double k[3], double x[2]) {
    double soft = 1.0 / d->sensor_stiffness;
    k[0] = 1.0 / (1.0 / d->k1 + soft), k[1] = 1.0 / (1.0 / d->k2 + soft), k[2] = 1.0 / (1.0 / d->k3 + soft);
    x[0] = d->t1 / k[0];
    x[1] = x[0] + (d->t2 - d->t1) / k[1];
}

static Spring spring(const Drive *d, double twist) {
    double k[3], at[2], x = fabs(twist) - 0.5 * d->backlash, y;
    Spring s = {0.0, 0.0, 0.0, 0};
    lines(d, k, at);
    if (d->backlash > 0.0 && x <= 0.0) return s;
    if (x < at[0]) {
        s = (Spring){k[0] * x, 0.5 * k[0] * x * x, k[0], 1};
    } else if (x < at[1]) {
        y = x - at[0];
        s = (Spring){d->t1 + k[1] * y, 0.5 * d->t1 * at[0] + d->t1 * y + 0.5 * k[1] * y * y, k[1], 2};
    } else {
        y = x - at[1];
        double before = 0.5 * d->t1 * at[0] + 0.5 * (d->t1 + d->t2) * (at[1] - at[0]);
        s = (Spring){d->t2 + k[2] * y, before + d->t2 * y + 0.5 * k[2] * y * y, k[2], 3};
    }
    if (twist < 0.0) {
        s.torque = -s.torque;
        if (d->backlash > 0.0 || s.line > 1) s.line = -s.line;
    }
    return s;
}

static double mean_torque(const Drive *d, double before, double after, double *slope) {
    Spring s0 = spring(d, before), s1 = spring(d, after);
    double way = after - before;
    if (s0.line == s1.line || fabs(way) < NEAR) {
        *slope = 0.5 * s1.k;
        return 0.5 * (s0.torque + s1.torque);
    }
    double mean = (s1.stored - s0.stored) / way;
    *slope = (s1.torque - mean) / way;
    return mean;
}

static double touching(const Drive *d, double before, double after) {
    if (d->backlash <= 0.0) return 1.0;
    double half = 0.5 * d->backlash, low = fmin(before, after), high = fmax(before, after);
    if (high - low < NEAR) return fabs(0.5 * (low + high)) > half ? 1.0 : 0.0;
    return 1.0 - fmax(0.0, fmin(high, half) - fmax(low, -half)) / (high - low);
}

static double twist_of(const Drive *d, double torque) {
    double k[3], at[2], size = fabs(torque), x;
    lines(d, k, at);
    if (size < d->t1) x = size / k[0];
    else if (size < d->t2) x = at[0] + (size - d->t1) / k[1];
    else x = at[1] + (size - d->t2) / k[2];
    return torque == 0.0 ? 0.0 : copysign(x + 0.5 * d->backlash, torque);
}

/* The end stops' torque of a step, and its slope by the position at the end: a spring of Hunt and Crossley's. */
static double stop_torque(const Drive *d, double before, double after, double *slope) {
    *slope = 0.0;
    if (d->lower <= before && before <= d->upper && d->lower <= after && after <= d->upper) return 0.0;
    double k = d->stop_stiffness, side = fmax(before, after) > d->upper ? 1.0 : -1.0;
    double end = side > 0.0 ? d->upper : d->lower, way = side * (after - before);
    double first = fmax(side * (before - end), 0.0), last = fmax(side * (after - end), 0.0), push, rise;
    if ((first > 0.0 && last > 0.0) || fabs(way) < NEAR_END) {
        push = 0.5 * k * (first + last), rise = last > 0.0 ? 0.5 * k : 0.0;
    } else {
        push = 0.5 * k * (last * last - first * first) / way;
        rise = (k * last - push) / way;
    }
    double hard = 1.0 + d->stop_damping * way / H;
    if (hard <= 0.0) return 0.0;
    *slope = -(rise * hard + push * d->stop_damping / H);
    return -side * push * hard;
}

static Order order_of(const Drive *d, const State *s, double q, double dq, double weight, double sag) {
    double share = clipped((d->winding_limit - s->winding) / (d->winding_limit - HOT * d->winding_limit), 0, 1);
    double limit = d->current_continuous + share * fmax(d->current_max - d->current_continuous, 0.0);
    Order o;
    o.on = d->controller != OFF && !s->braked;
    o.angle = d->ratio * (q + (d->gravity_model ? sag : 0.0));
    o.speed = d->ratio * dq;
    o.torque = d->gravity_model ? weight : 0.0;
    o.limit = fmin(limit, d->current_max);
    o.resistance = d->resistance * (1.0 + d->alpha * s->winding);
    return o;
}

static Electric electric(const Drive *d, const State *s, const Order *o, double omega, double torque) {
    Electric e = {0};
    if (!o->on) return e;
    double mid = 0.5 * (s->omega + omega), angle = s->theta + 0.25 * H * (s->omega + omega);
    double reference, by_omega, by_torque = 0.0;
    if (d->controller == CASCADE) {
        double lag = 1.0 + 0.5 * H / d->integral_time;
        e.error = d->position_gain * (o->angle - angle) + o->speed - mid;
        reference = d->velocity_gain * (lag * e.error + s->speed_integral);
        reference += o->torque / (d->ratio * d->torque_constant);
        by_omega = -d->velocity_gain * lag * (0.25 * H * d->position_gain + 0.5);
    } else {
        double per = 1.0 / (d->ratio * d->torque_constant), gain = (1.0 + d->torque_gain) * per;
        double asked = d->impedance_stiffness * (o->angle - angle) + d->impedance_damping * (o->speed - mid);
        reference = gain * (asked / d->ratio + o->torque) - d->torque_gain * per * torque;
        by_omega = -gain * (0.25 * H * d->impedance_stiffness + 0.5 * d->impedance_damping) / d->ratio;
        by_torque = -d->torque_gain * per;
    }
    e.free = fabs(reference) <= o->limit;
    if (!e.free) reference = copysign(o->limit, reference), by_omega = 0.0, by_torque = 0.0;
    double gain = d->loop_proportional + 0.5 * H * d->loop_integral, coil = 2.0 * d->inductance / H;
    double whole = coil + o->resistance + gain;
    double driven = coil * s->current + s->voltage_integral - d->torque_constant * mid;
    e.reference = reference;
    e.current = (driven + gain * reference) / whole;
    e.voltage = s->voltage_integral + gain * (reference - e.current);
    if (fabs(e.voltage) > d->voltage_max) {
        e.voltage = copysign(d->voltage_max, e.voltage);
        whole = coil + o->resistance;
        e.current = (coil * s->current + e.voltage - d->torque_constant * mid) / whole;
        e.by_omega = -0.5 * d->torque_constant / whole, e.by_torque = 0.0, e.free = 0;
        return e;
    }
    e.by_omega = (gain * by_omega - 0.5 * d->torque_constant) / whole;
    e.by_torque = gain * by_torque / whole;
    return e;
}

static Shaft shaft(const Drive *d, const State *s, const Order *o, double omega, double q) {
    double theta = s->theta + 0.5 * H * (s->omega + omega);
    double before = s->theta / d->ratio - s->q, after = theta / d->ratio - q, k;
    double torque = mean_torque(d, before, after, &k), share = touching(d, before, after);
    if (share > 0.0) {
        double damping = share * d->gear_damping / H, pulls = torque + damping * (after - before);
        if (d->backlash > 0.0 && pulls * torque <= 0.0) torque = 0.0, k = 0.0; /* flanks do not pull */
        else torque = pulls, k += damping;
    }
    Electric e = electric(d, s, o, omega, torque);
    double by_torque = 1.0 / d->ratio - d->torque_constant * e.by_torque, by_omega = k * 0.5 * H / d->ratio;
    double g = d->rotor_inertia * (omega - s->omega) / H - d->torque_constant * e.current + torque / d->ratio;
    g += 0.5 * d->motor_viscous * (s->omega + omega);
    double slope = d->rotor_inertia / H + 0.5 * d->motor_viscous - d->torque_constant * e.by_omega;
    return (Shaft){g, slope + by_torque * by_omega, torque, by_omega, -k, -by_torque * k};
}

static Dry motor_friction(const Drive *d, const State *s) {
    double load = s->torque / d->ratio, brake = 0.0;
    double drive = (1.0 / d->efficiency - 1.0) * fabs(load), back = (1.0 - d->efficiency) * fabs(load);
    if (s->braked && s->brake_timer >= d->brake_closing_time) brake = d->brake_torque;
    double more = load >= 0.0 ? drive : back, more_back = load >= 0.0 ? back : drive;
    Dry f = {d->motor_coulomb + more + brake, d->motor_coulomb_back + more_back + brake, 0.0, 0.0, 0.0};
    f.stick = fmax(f.forwards, d->motor_stick + brake + more);
    f.stick_back = fmax(f.backwards, d->motor_stick + brake + more_back);
    return f;
}

static double turning(const Drive *d, const State *s, const Order *o, double q, double friction) {
    double omega = s->omega;
    for (int round = 0; round < TURNS; round++) {
        Shaft at = shaft(d, s, o, omega, q);
        double change = -(at.g + friction) / at.slope;
        omega += change;
        if (fabs(change) <= SAME_TURN * (1.0 + fabs(omega))) break;
    }
    return omega;
}

static Turn rotor(const Drive *d, const State *s, const Order *o, double q) {
    Dry f = motor_friction(d, s);
    if (f.forwards == 0.0 && f.backwards == 0.0 && f.stick == 0.0 && f.stick_back == 0.0)
        return (Turn){turning(d, s, o, q, 0.0), 0.0, 0};
    if (s->omega > 0.0) {
        double omega = turning(d, s, o, q, f.forwards);
        if (omega > 0.0) return (Turn){omega, f.forwards, 0};
    } else if (s->omega < 0.0) {
        double omega = turning(d, s, o, q, -f.backwards);
        if (omega < 0.0) return (Turn){omega, -f.backwards, 0};
    }
    double needed = -shaft(d, s, o, 0.0, q).g;
    if (-f.stick_back <= needed && needed <= f.stick) return (Turn){0.0, needed, 1};
    double friction = needed > 0.0 ? f.forwards : -f.backwards;
    return (Turn){turning(d, s, o, q, friction), friction, 0};
}

static double joint_torque(const Drive *d, const State *s, const Order *o, double dq, double q, double *slope) {
    if (!d->elastic) {
        Electric e = electric(d, s, o, d->ratio * dq, s->torque);
        double through = d->ratio * d->torque_constant;
        *slope = through * e.by_omega * d->ratio * H;
        return through * e.current;
    }
    Turn turn = rotor(d, s, o, q);
    Shaft at = shaft(d, s, o, turn.omega, q);
    *slope = (at.by_q + at.by_omega * (turn.stands ? 0.0 : -at.g_by_q / at.slope)) * 0.5 * H * H;
    return at.torque;
}

static void warm(const Drive *d, State *s, double heat) {
    double a = 1.0 / d->winding_resistance, b = 1.0 / d->housing_resistance;
    double cw = 2.0 * d->winding_capacity / H, ch = 2.0 * d->housing_capacity / H;
    double m11 = cw + a, m12 = -a, m22 = ch + a + b, r1 = cw * s->winding + heat, r2 = ch * s->housing;
    double det = m11 * m22 - m12 * m12;
    s->winding += 2.0 * ((r1 * m22 - m12 * r2) / det - s->winding);
    s->housing += 2.0 * ((m11 * r2 - m12 * r1) / det - s->housing);
}

static void carry_on(const Drive *d, State *s, const Order *o, double dq, double q, double friction, double torque) {
    double omega = d->ratio * dq, theta = s->theta + d->ratio * (q - s->q), passed = torque, dry = 0.0;
    if (d->elastic) {
        Turn turn = rotor(d, s, o, q);
        omega = turn.omega, dry = turn.friction;
        theta = s->theta + 0.5 * H * (s->omega + omega);
        passed = shaft(d, s, o, omega, q).torque;
    }
    Electric e = electric(d, s, o, omega, d->elastic ? passed : s->torque);
    if (!o->on) {
        s->current = s->voltage_integral = s->speed_integral = 0.0;
    } else {
        s->current = 2.0 * e.current - s->current;
        if (fabs(e.voltage) < d->voltage_max) s->voltage_integral += H * d->loop_integral * (e.reference - e.current);
        if (e.free) s->speed_integral += H * e.error / d->integral_time;
    }
    s->voltage = e.voltage, s->power = e.voltage * e.current, s->reference = e.reference;
    s->theta = theta, s->omega = omega, s->torque = passed;
    s->motor_friction = dry, s->joint_friction = friction;
    s->brake_timer = s->braked ? s->brake_timer + H : 0.0;
    warm(d, s, o->resistance * e.current * e.current);
}

/* ---- a step of the arm ----------------------------------------------------------------------------- */

static void joint_frictions(Dry f[N]) {
    for (int i = 0; i < N; i++) {
        const Drive *d = &drives[i];
        f[i] = (Dry){d->joint_coulomb, d->joint_coulomb_back, fmax(d->joint_coulomb, d->joint_stick),
                     fmax(d->joint_coulomb_back, d->joint_stick), d->joint_viscous};
        if (d->elastic) continue;
        Dry m = motor_friction(d, &states[i]);
        double r = fabs(d->ratio);
        int back = d->ratio < 0.0;
        f[i].forwards += r * (back ? m.backwards : m.forwards);
        f[i].backwards += r * (back ? m.forwards : m.backwards);
        f[i].stick += r * (back ? m.stick_back : m.stick);
        f[i].stick_back += r * (back ? m.stick : m.stick_back);
        f[i].viscous += r * r * d->motor_viscous;
    }
}

static int first_case(const Dry *f, double dq) {
    if (f->stick == 0.0 && f->stick_back == 0.0) return FREE;
    return dq == 0.0 ? STANDS : dq > 0.0 ? 1 : -1;
}

static int next_case(int is, const Dry *f, double dq, double needed) {
    if (is == STANDS) return needed > f->stick ? 1 : needed < -f->stick_back ? -1 : STANDS;
    return is != FREE && is * dq < 0.0 ? STANDS : is;
}

/* What the controllers know of the weight: torque and sag at the reference. */
static void weigh(double weights[N], double sags[N], const double q[N]) {
    Pose poses[N + 2];
    double axes[N][3], base[6], still[N] = {0}, nothing[6] = {0};
    int known = 0;
    for (int i = 0; i < N; i++) known |= drives[i].gravity_model != 0, weights[i] = sags[i] = 0.0;
    if (!known) return;
    place(poses, axes, q);
    forces(weights, base, poses, axes, still, still, nothing);
    for (int i = 0; i < N; i++) sags[i] = drives[i].elastic ? twist_of(&drives[i], weights[i]) : 0.0;
}

/* Returns 0 if the step cannot be solved; then nothing has changed. */
static int step(const double q_ref[N], const double dq_ref[N]) {
    double x[N], dx[N], rest[N], q[N], dq[N], q_mid[N], dq_mid[N], torque[N], slope[N], dry[N] = {0};
    double stop[N] = {0}, stop_slope, weights[N], sags[N], A[N][N], M[N][N], axes[N][3], needed[N], wrench[6];
    Pose poses[N + 2];
    Dry friction[N];
    Order orders[N];
    int cases[N], rounds = 0, changes = 0, settled = 0;
    for (int i = 0; i < N; i++) q[i] = states[i].q, dq[i] = states[i].dq, x[i] = states[i].ddq;
    weigh(weights, sags, q_ref);
    joint_frictions(friction);
    for (int i = 0; i < N; i++) {
        cases[i] = first_case(&friction[i], dq[i]);
        orders[i] = order_of(&drives[i], &states[i], q_ref[i], dq_ref[i], weights[i], sags[i]);
    }
    while (!settled && changes <= CASES) {
        for (int i = 0; i < N; i++) {
            if (cases[i] == STANDS) x[i] = -dq[i] / H;
            dq_mid[i] = dq[i] + 0.5 * H * x[i];
            q_mid[i] = q[i] + 0.5 * H * dq_mid[i];
        }
        place(poses, axes, q_mid);
        forces(needed, wrench, poses, axes, dq_mid, x, wrench_tip);
        if (rounds == 0) mass_matrix(M, poses, axes);
        memcpy(A, M, sizeof M);
        for (int i = 0; i < N; i++) {
            torque[i] = joint_torque(&drives[i], &states[i], &orders[i], dq[i] + H * x[i], q[i] + H * dq_mid[i],
                                     &slope[i]);
            stop[i] = stop_torque(&drives[i], q[i], q[i] + H * dq_mid[i], &stop_slope);
            rest[i] = torque[i] + stop[i] - needed[i] - friction[i].viscous * dq_mid[i];
            if (cases[i] == STANDS) {
                dry[i] = rest[i], rest[i] = 0.0;
                for (int k = 0; k < N; k++) A[i][k] = A[k][i] = 0.0;
                A[i][i] = 1.0;
                continue;
            }
            dry[i] = cases[i] == 1 ? friction[i].forwards : cases[i] == -1 ? -friction[i].backwards : 0.0;
            rest[i] -= dry[i];
            A[i][i] += 0.5 * H * friction[i].viscous - slope[i] - 0.5 * H * H * stop_slope;
        }
        solve(dx, A, rest);
        double change = 0.0;
        for (int i = 0; i < N; i++) {
            x[i] += dx[i];
            change = fmax(change, fabs(dx[i]) * H);
            if (!(fabs(x[i]) < FASTEST)) return 0;
        }
        if (++rounds > ROUNDS) return 0;
        if (change > SAME) continue;
        settled = 1;
        for (int i = 0; i < N; i++) {
            int next = next_case(cases[i], &friction[i], dq[i] + H * x[i], dry[i]);
            settled &= next == cases[i];
            cases[i] = next;
        }
        changes++;
    }
    for (int i = 0; i < N; i++) {
        dq_mid[i] = dq[i] + 0.5 * H * x[i];
        double end = cases[i] == STANDS ? 0.0 : dq[i] + H * x[i], after = q[i] + H * dq_mid[i];
        carry_on(&drives[i], &states[i], &orders[i], end, after, dry[i],
                 needed[i] - stop[i] - armatures[i] * x[i]);
        states[i].end_stop = stop[i];
        states[i].q = after, states[i].dq = end, states[i].ddq = x[i];
    }
    memcpy(base_wrench, wrench, sizeof wrench);
    clock_s += H;
    return 1;
}

/* ---- the command at the tip ------------------------------------------------------------------------ */

static void rotation_of(double R[3][3], const double v[3]) {
    double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), axis[3] = {0.0, 0.0, 1.0};
    Pose T;
    for (int k = 0; k < 3; k++) axis[k] = angle > 0.0 ? v[k] / angle : axis[k];
    joint_motion(T, 0, axis, angle);
    for (int i = 0; i < 3; i++) memcpy(R[i], T[i], sizeof R[i]);
}

/* Rotation vector of a rotation matrix, by its quaternion. */
static void rotvec_of(double v[3], double R[3][3]) {
    double s[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                   1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
    double d[3] = {R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]}, q[4];
    double m[3] = {R[1][2] + R[2][1], R[0][2] + R[2][0], R[0][1] + R[1][0]}, length = 0.0, size;
    int most = 0;
    for (int k = 1; k < 4; k++) most = s[k] > s[most] ? k : most;
    if (most == 0) q[0] = s[0], q[1] = d[0], q[2] = d[1], q[3] = d[2];
    else if (most == 1) q[0] = d[0], q[1] = s[1], q[2] = m[2], q[3] = m[1];
    else if (most == 2) q[0] = d[1], q[1] = m[2], q[2] = s[2], q[3] = m[0];
    else q[0] = d[2], q[1] = m[1], q[2] = m[0], q[3] = s[3];
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    length = q[0] < 0.0 ? -sqrt(length) : sqrt(length);
    for (int k = 0; k < 4; k++) q[k] /= length;
    size = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double factor = size < 1e-12 ? 2.0 : 2.0 * atan2(size, q[0]) / size;
    for (int k = 0; k < 3; k++) v[k] = factor * q[1 + k];
}

/* A passive chain without mass: spring and damper pull the tip to its command, weak dampers stand in the joints.
 * (d D + J'KJ) dq = w J'K e; the references q, dq of the step's middle are written. */
static void follow_tip(double q_mid[N], double dq_ref[N]) {
    double K[6] = {1 / (L * L), 1 / (L * L), 1 / (L * L), 1, 1, 1}, J[6][N], A[N][N], b[N], e[6], most = 1.0;
    double axes[N][3], error[3][3], r[3], arm[3];
    Pose poses[N + 2];
    place(poses, axes, q_command);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) r[k] = poses[N + 1][k][3] - poses[i + 1][k][3];
        cross(arm, axes[i], r);
        for (int k = 0; k < 3; k++) {
            J[k][i] = linear[i] ? axes[i][k] : arm[k];
            J[3 + k][i] = linear[i] ? 0.0 : axes[i][k];
        }
    }
    for (int i = 0; i < 3; i++) {
        e[i] = tip_position[i] - poses[N + 1][i][3];
        for (int j = 0; j < 3; j++) {
            error[i][j] = 0.0;
            for (int k = 0; k < 3; k++) error[i][j] += tip_rotation[i][k] * poses[N + 1][j][k];
        }
    }
    rotvec_of(e + 3, error);
    for (int i = 0; i < N; i++) {
        b[i] = 0.0;
        for (int k = 0; k < 6; k++) b[i] += RATE * J[k][i] * K[k] * e[k];
        for (int j = 0; j < N; j++) {
            A[i][j] = i == j ? DAMPING * (linear[i] ? 1 / (L * L) : 1.0) : 0.0;
            for (int k = 0; k < 6; k++) A[i][j] += J[k][i] * K[k] * J[k][j];
        }
    }
    solve(dq_ref, A, b);
    for (int i = 0; i < N; i++) most = fmax(most, fabs(dq_ref[i]) / speeds[i]);
    for (int i = 0; i < N; i++) {
        double next = clipped(q_command[i] + H * dq_ref[i] / most, lower[i], upper[i]);
        dq_ref[i] = (next - q_command[i]) / H;
        q_mid[i] = 0.5 * (q_command[i] + next);
        q_command[i] = next;
    }
}

/* ---- the link -------------------------------------------------------------------------------------- */

static void reset(void) {
    memcpy(drives, drive_values, sizeof drives);
    memcpy(states, state_values, sizeof states);
    memset(base_wrench, 0, sizeof base_wrench);
    memset(wrench_tip, 0, sizeof wrench_tip);
    memset(dq_command, 0, sizeof dq_command);
    for (int i = 0; i < N; i++) q_command[i] = q_start[i];
    clock_s = 0.0, by_tip = 0;
}

static void say_names(void) {
    const char *each[] = {"q", "dq", "torque", "current", "winding", "housing"}, *way[] = {"x", "y", "z"};
    printf("t");
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < N; i++) printf(" %s.%s", joint_names[i], each[k]);
    for (int k = 0; k < 6; k++) printf(" tip.%s%s", k < 3 ? "" : "r", way[k % 3]);
    for (int k = 0; k < 6; k++) printf(" base.%s%s", k < 3 ? "f" : "t", way[k % 3]);
    printf("\n");
}

static void say_state(void) {
    double q[N], axes[N][3], R[3][3], v[3];
    Pose poses[N + 2];
    printf("%.17g", clock_s);
    for (int i = 0; i < N; i++) printf(" %.17g", q[i] = states[i].q);
    for (int i = 0; i < N; i++) printf(" %.17g", states[i].dq);
    for (int i = 0; i < N; i++) printf(" %.17g", states[i].torque);
    for (int i = 0; i < N; i++) printf(" %.17g", states[i].current);
    for (int i = 0; i < N; i++) printf(" %.17g", states[i].winding);
    for (int i = 0; i < N; i++) printf(" %.17g", states[i].housing);
    place(poses, axes, q);
    for (int i = 0; i < 3; i++) memcpy(R[i], poses[N + 1][i], sizeof R[i]);
    rotvec_of(v, R);
    for (int k = 0; k < 3; k++) printf(" %.17g", poses[N + 1][k][3]);
    for (int k = 0; k < 3; k++) printf(" %.17g", v[k]);
    for (int k = 0; k < 6; k++) printf(" %.17g", base_wrench[k]);
    printf("\n");
}

/* Reads up to `most` finite numbers; returns how many, -1 if there is something else or more. */
static int numbers(char *text, double *values, int most) {
    int count = 0;
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"), count++) {
        char *end;
        double value = strtod(word, &end);
        if (*end || !isfinite(value) || count == most) return -1;
        values[count] = value;
    }
    return count;
}

static void pace(struct timespec *next) {
    next->tv_nsec += (long)(H * 1e9 + 0.5);
    while (next->tv_nsec >= 1000000000L) next->tv_nsec -= 1000000000L, next->tv_sec++;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL)) {}
}

static int advance(long steps, int real_time) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (long k = 0; k < steps; k++) {
        double q[N], dq[N];
        memcpy(q, q_command, sizeof q);
        memcpy(dq, dq_command, sizeof dq);
        if (by_tip) follow_tip(q, dq);
        if (!step(q, dq)) return 0;
        if (real_time) pace(&next);
    }
    return 1;
}

static const char *obey(char *line, int real_time) {
    double values[2 * N + 6];
    char *word = strtok(line, " \t\r\n"), *rest = word ? strtok(NULL, "") : NULL, none[1] = "";
    if (!word) return "";
    int count = numbers(rest ? rest : none, values, 2 * N + 6);
    if (!strcmp(word, "joints") && (count == N || count == 2 * N)) {
        memcpy(q_command, values, sizeof q_command);
        memset(dq_command, 0, sizeof dq_command);
        if (count == 2 * N) memcpy(dq_command, values + N, sizeof dq_command);
        by_tip = 0;
    } else if (!strcmp(word, "tip") && count == 6) {
        memcpy(tip_position, values, sizeof tip_position);
        rotation_of(tip_rotation, values + 3);
        memset(dq_command, 0, sizeof dq_command);
        by_tip = 1;
    } else if (!strcmp(word, "wrench") && count == 6) {
        memcpy(wrench_tip, values, sizeof wrench_tip);
    } else if (!strcmp(word, "brake") && count == 1) {
        for (int i = 0; i < N; i++) states[i].braked = values[0] != 0.0;
    } else if (!strcmp(word, "step") && (count == 0 || (count == 1 && values[0] >= 1.0 && values[0] <= 1e9))) {
        if (!advance(count ? (long)values[0] : 1, real_time)) return "error: a step cannot be solved; reset";
        say_state();
    } else if (!strcmp(word, "state") && count == 0) {
        say_state();
    } else if (!strcmp(word, "names") && count == 0) {
        say_names();
    } else if (!strcmp(word, "reset") && count == 0) {
        reset();
    } else {
        return "error: no such command, or not its numbers; see README.md";
    }
    return "";
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    int real_time = argc == 2 && !strcmp(argv[1], "--real-time");
    if (argc > 1 && !real_time) {
        fprintf(stderr, "usage: %s [--real-time]; commands on standard input, see README.md\n", argv[0]);
        return 2;
    }
    reset();
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "quit", 4)) break;
        const char *fault = obey(line, real_time);
        if (*fault) printf("%s\n", fault);
        fflush(stdout);
    }
    return 0;
}
