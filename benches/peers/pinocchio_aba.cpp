/*
 * Pinocchio's articulated-body algorithm in the classical Runge-Kutta scheme, called from C++ as its authors recommend: a
 * call from Python costs more than the heavy top's dynamics. It is a shared library that pinocchio_peer.py loads.
 */
#include <ctime>
#include <memory>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Tree {
    pinocchio::Model model;
    std::unique_ptr<pinocchio::Data> data;
    std::vector<Vector3d> centres; /* of mass, from the joint, in the axes of the body */
    std::vector<int> balls;        /* where the velocities of spherical joints stand */
    VectorXd q0, v0;
};

/*
 * The rate of the rotation vector u in q exp(u) where the joint turns with omega, both in its moving axes: omega + u x omega/2
 * + u x (u x omega)/12, enough for order 4 (Munthe-Kaas; Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8). What
 * turns about one axis needs none of it.
 */
static void rates(const Tree &tree, const VectorXd &increment, const VectorXd &speed, VectorXd &rate)
{
    rate = speed;
    for (const int start : tree.balls) {
        const Vector3d u = increment.segment<3>(start), omega = speed.segment<3>(start), turned = u.cross(omega);
        rate.segment<3>(start) += 0.5 * turned + u.cross(turned) / 12;
    }
}

extern "C" {

Tree *peer_create(double gravity)
{
    Tree *tree = new Tree;
    tree->model.gravity.linear() = Vector3d(0, 0, -gravity);
    return tree;
}

/*
 * A body with its joint; `parent` counts bodies from 0, -1 is the ground. The joint stands in the parent's joint frame as
 * `rotation` (rows) and `position` say; `axis` is zero for a spherical joint. `speed` are the joint's velocities at the start.
 */
void peer_add(Tree *tree, int parent, const double *rotation, const double *position, const double *axis, double mass,
              const double *inertia, const double *centre, const double *speed)
{
    const Matrix3d turn = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rotation);
    const pinocchio::SE3 placement(turn, Vector3d(position[0], position[1], position[2]));
    const Vector3d line(axis[0], axis[1], axis[2]), com(centre[0], centre[1], centre[2]);
    const pinocchio::JointIndex on = static_cast<pinocchio::JointIndex>(parent + 1);
    const std::string name = std::to_string(tree->model.njoints);
    pinocchio::JointIndex joint;
    if (line.isZero()) {
        joint = tree->model.addJoint(on, pinocchio::JointModelSpherical(), placement, name);
    } else if (line == Vector3d::UnitY()) {
        joint = tree->model.addJoint(on, pinocchio::JointModelRY(), placement, name);
    } else if (line == Vector3d::UnitZ()) {
        joint = tree->model.addJoint(on, pinocchio::JointModelRZ(), placement, name);
    } else {
        joint = tree->model.addJoint(on, pinocchio::JointModelRevoluteUnaligned(line), placement, name);
    }
    const Matrix3d about_com = Vector3d(inertia[0], inertia[1], inertia[2]).asDiagonal();
    tree->model.appendBodyToJoint(joint, pinocchio::Inertia(mass, com, about_com));
    tree->centres.push_back(com);
    const int before = static_cast<int>(tree->v0.size()), width = tree->model.joints[joint].nv();
    if (width == 3) {
        tree->balls.push_back(before);
    }
    tree->v0.conservativeResize(before + width);
    for (int k = 0; k < width; k++) {
        tree->v0[before + k] = speed[k];
    }
}

void peer_finish(Tree *tree)
{
    tree->data = std::make_unique<pinocchio::Data>(tree->model);
    tree->q0 = pinocchio::neutral(tree->model);
}

/* `steps` steps from the start; the processor time in seconds; `positions` receives the centres of mass. */
double peer_run(Tree *tree, double h, long steps, double *positions)
{
    const pinocchio::Model &model = tree->model;
    pinocchio::Data &data = *tree->data;
    VectorXd q = tree->q0, v = tree->v0, at = q, speed = v, increment = v;
    VectorXd a1 = v, a2 = v, a3 = v, a4 = v, rate1 = v, rate2 = v, rate3 = v, rate4 = v;
    const VectorXd none = VectorXd::Zero(model.nv);
    timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long i = 0; i < steps; i++) {
        rate1 = v;
        a1 = pinocchio::aba(model, data, q, v, none, pinocchio::Convention::LOCAL);
        increment = 0.5 * h * rate1;
        pinocchio::integrate(model, q, increment, at);
        speed = v + 0.5 * h * a1;
        a2 = pinocchio::aba(model, data, at, speed, none, pinocchio::Convention::LOCAL);
        rates(*tree, increment, speed, rate2);
        increment = 0.5 * h * rate2;
        pinocchio::integrate(model, q, increment, at);
        speed = v + 0.5 * h * a2;
        a3 = pinocchio::aba(model, data, at, speed, none, pinocchio::Convention::LOCAL);
        rates(*tree, increment, speed, rate3);
        increment = h * rate3;
        pinocchio::integrate(model, q, increment, at);
        speed = v + h * a3;
        a4 = pinocchio::aba(model, data, at, speed, none, pinocchio::Convention::LOCAL);
        rates(*tree, increment, speed, rate4);
        increment = h / 6 * (rate1 + 2 * rate2 + 2 * rate3 + rate4);
        pinocchio::integrate(model, q, increment, at);
        q = at;
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    pinocchio::forwardKinematics(model, data, q);
    for (std::size_t i = 0; i < tree->centres.size(); i++) {
        Eigen::Map<Vector3d>(positions + 3 * i) = data.oMi[i + 1].act(tree->centres[i]);
    }
    return double(end.tv_sec - begin.tv_sec) + 1e-9 * double(end.tv_nsec - begin.tv_nsec);
}
}
