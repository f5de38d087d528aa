/*
 * Rigid bodies of a pintle model move the mesh of an OpenFOAM case: the motion solver "pintleMotion" of dynamicMotionSolverFvMesh.
 * Pressure and viscous forces on a body's patches are its load; joints, mooring lines, springs, gravity are those of the model.
 *
 *   motionSolverLibs (pintleMotion);
 *   motionSolver     pintleMotion;
 *   pintleMotionCoeffs
 *   {
 *       model       "box.toml";   // relative to the case
 *       relaxation  0.5;          // of loads, from one call to the next; 1 (default) takes them as they are
 *       report      yes;          // default no: pose and velocity of each body to the log
 *       bodies
 *       {
 *           box { patches (hull); innerDistance 0.05; outerDistance 0.25; }
 *       }
 *   }
 *
 * Points of the mesh up to innerDistance from a body's patches move with it, those beyond outerDistance are fixed, and between
 * them the displacement is blended by a cosine. Of bodies that are close to each other the displacements add up: keep their outer distances apart.
 *
 * Each outer corrector that moves the mesh (moveMeshOuterCorrectors) repeats the step from the accepted state with better loads; the
 * first call of a new time step accepts the trial before it. The state is written with the fields, and read again at a restart.
 * Each process computes the same bodies from the same sums of forces.
 */
#include <map>
#include <vector>

#include "addToRunTimeSelectionTable.H"
#include "displacementMotionSolver.H"
#include "forces.H"
#include "mathematicalConstants.H"
#include "pointConstraints.H"
#include "pointPatchDist.H"
#include "polyMesh.H"
#include "quaternion.H"
#include "uniformDimensionedFields.H"

#include "pintle.hpp"

namespace Foam {

/* A body of the model, the patches of its surface, and the weight of its motion at each point of the mesh. */
struct pintleBody {
    word name;
    pintle::Id id;
    wordRes patches;
    scalarField share;
    autoPtr<functionObjects::forces> forces; /* made when the fields are there */
};

class pintleMotion : public displacementMotionSolver {
    pintle::System system_;
    std::vector<pintleBody> bodies_;
    scalar relaxation_;
    bool report_;
    bool hasLoads_ = false;
    label curTimeIndex_ = -1;

    fileName statePath() const
    {
        return mesh().time().path() / mesh().time().timeName() / "uniform" / "pintle.checkpoint";
    }

    void loadModel()
    {
        fileName model(coeffDict().get<fileName>("model"));
        if (!model.isAbsolute()) {
            model = mesh().time().globalPath() / model;
        }
        system_ = pintle::System::load_model(model);
        system_.initialize(mesh().time().value());
        if (isFile(statePath())) {
            system_.read_checkpoint(statePath());
            hasLoads_ = true;
        }
    }

    void addBody(const word &name, const dictionary &dict)
    {
        pintleBody body;
        body.name = name;
        body.id = system_.find("body", name);
        body.patches = dict.get<wordRes>("patches");
        const labelHashSet patches = mesh().boundaryMesh().patchSet(body.patches);
        if (returnReduce(patches.size(), maxOp<label>()) == 0) {
            FatalIOErrorInFunction(dict) << "body " << name << " has no patch" << exit(FatalIOError);
        }
        const scalar inner = dict.get<scalar>("innerDistance"), outer = dict.get<scalar>("outerDistance");
        if (outer <= inner) {
            FatalIOErrorInFunction(dict)
                << "outerDistance " << outer << " of body " << name << " is not beyond innerDistance " << inner
                << exit(FatalIOError);
        }
        const pointMesh &points = pointMesh::New(mesh());
        const pointPatchDist distance(points, patches, points0());
        const scalarField linear(min(max((outer - distance.primitiveField()) / (outer - inner), scalar(0)), scalar(1)));
        body.share = 0.5 - 0.5 * cos(linear * constant::mathematical::pi);
        bodies_.push_back(std::move(body));
    }

    /* constant/g is read after the mesh is made, so this is called at the first step. */
    void checkGravity() const
    {
        const pintle::Vector3 own = system_.get_gravity();
        const vector g = mesh().time().lookupObject<uniformDimensionedVectorField>("g").value();
        if (mag(g - vector(own[0], own[1], own[2])) > 1e-9 * mag(g)) {
            FatalIOErrorInFunction(coeffDict())
                << "gravity of the model, (" << own[0] << ' ' << own[1] << ' ' << own[2] << "), is not that of constant/g, " << g
                << exit(FatalIOError);
        }
    }

    /* Force, and moment about the body's present reference point, of the fluid on its patches. */
    pintle::Vector6 fluidLoad(pintleBody &body)
    {
        if (!body.forces.valid()) {
            dictionary dict;
            dict.add("type", functionObjects::forces::typeName);
            dict.add("patches", body.patches);
            dict.add("rho", coeffDict().lookupOrDefault<word>("rho", "rho"));
            dict.add("rhoInf", coeffDict().lookupOrDefault<scalar>("rhoInf", 1));
            dict.add("CofR", vector::zero);
            body.forces.reset(new functionObjects::forces(body.name + "Forces", mesh().time(), dict));
        }
        body.forces->calcForcesMoment();
        const pintle::Pose pose = system_.get_body_pose(body.id);
        const vector force = body.forces->forceEff();
        const vector moment = body.forces->momentEff() - (vector(pose[0], pose[1], pose[2]) ^ force);
        return {{force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()}};
    }

    void step()
    {
        if (curTimeIndex_ != mesh().time().timeIndex()) {
            if (curTimeIndex_ == -1 && mesh().time().foundObject<uniformDimensionedVectorField>("g")) {
                checkGravity();
            }
            curTimeIndex_ = mesh().time().timeIndex();
            if (system_.phase() == pintle::Phase::trial) {
                system_.accept();
            }
        }
        for (pintleBody &body : bodies_) {
            pintle::Vector6 load = fluidLoad(body);
            if (hasLoads_) {
                const pintle::Vector6 before = system_.get_body_load(body.id, pintle::Frame::inertial);
                for (std::size_t i = 0; i < load.size(); i++) {
                    load[i] = relaxation_ * load[i] + (1 - relaxation_) * before[i];
                }
            }
            system_.set_body_load(body.id, pintle::Frame::inertial, load);
        }
        hasLoads_ = true;
        system_.advance(mesh().time().deltaTValue());
    }

    void movePoints(const pintleBody &body, vectorField &displacement) const
    {
        const pintle::Pose now = system_.get_body_displacement(body.id), reference = system_.get_body_pose(body.id);
        const vector shift(now[0], now[1], now[2]);
        const vector centre = vector(reference[0], reference[1], reference[2]) - shift;
        const quaternion turn(now[3], vector(now[4], now[5], now[6]));
        forAll(displacement, i) {
            if (body.share[i] > 0) {
                const vector arm = points0()[i] - centre;
                const quaternion part = slerp(quaternion::I, turn, body.share[i]);
                displacement[i] += body.share[i] * shift + part.transform(arm) - arm;
            }
        }
    }

    void tell(const pintleBody &body) const
    {
        const pintle::Pose pose = system_.get_body_pose(body.id);
        const pintle::Vector6 rate = system_.get_body_velocity(body.id, pintle::Frame::inertial);
        Info << "pintle: body " << body.name << nl << "    Position: " << vector(pose[0], pose[1], pose[2]) << nl
             << "    Quaternion: " << quaternion(pose[3], vector(pose[4], pose[5], pose[6])) << nl
             << "    Linear velocity: " << vector(rate[0], rate[1], rate[2]) << nl
             << "    Angular velocity: " << vector(rate[3], rate[4], rate[5]) << endl;
    }

public:
    TypeName("pintleMotion");

    pintleMotion(const polyMesh &mesh, const IOdictionary &dict)
        : displacementMotionSolver(mesh, dict, typeName),
          relaxation_(coeffDict().lookupOrDefault<scalar>("relaxation", 1)),
          report_(coeffDict().lookupOrDefault("report", false))
    {
        try {
            loadModel();
            for (const entry &body : coeffDict().subDict("bodies")) {
                addBody(body.keyword(), body.dict());
            }
        } catch (const pintle::Error &error) {
            FatalIOErrorInFunction(coeffDict()) << error.what() << exit(FatalIOError);
        }
    }

    tmp<pointField> curPoints() const override
    {
        return points0() + pointDisplacement_.primitiveField();
    }

    void solve() override
    {
        try {
            step();
            vectorField displacement(points0().size(), vector::zero);
            for (const pintleBody &body : bodies_) {
                movePoints(body, displacement);
                if (report_) {
                    tell(body);
                }
            }
            pointDisplacement_.primitiveFieldRef() = displacement;
        } catch (const pintle::Error &error) {
            FatalErrorInFunction << error.what() << exit(FatalError);
        }
        pointConstraints::New(pointDisplacement_.mesh()).constrainDisplacement(pointDisplacement_);
    }

    bool writeObject(IOstream::streamFormat, IOstream::versionNumber, IOstream::compressionType, const bool) const override
    {
        try {
            mkDir(statePath().path());
            system_.write_checkpoint(statePath());
        } catch (const pintle::Error &error) {
            FatalErrorInFunction << error.what() << exit(FatalError);
        }
        return true;
    }
};

defineTypeNameAndDebug(pintleMotion, 0);
addToRunTimeSelectionTable(motionSolver, pintleMotion, dictionary);

} // namespace Foam
