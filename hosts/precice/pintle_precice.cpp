/*
 * Rigid bodies as a participant of preCICE: reads forces on the bodies' surfaces, writes displacements of the surfaces, and
 * repeats time windows until preCICE reports convergence.
 *
 *   pintle-precice config.xml model.toml [--participant NAME] [--points BODY=FILE]... [--out FILE.csv]
 *
 * Each body with points has the mesh "BODY-Mesh" with data "Force" (read) and "Displacement" (written), three numbers a point. Points
 * are the body's markers in the model file, and what --points adds: a line "x,y,z" each, in the body's axes from its reference point.
 * NAME is "pintle" unless given. The CSV file has the model's channels at the end of each window.
 *
 * Exit status: 0 done; 1 pintle or preCICE failed, or another participant left; 2 wrong arguments, files or meshes. The cause is on
 * the standard error.
 */
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <precice/precice.hpp>

#include "pintle.hpp"

namespace {

/* An error in arguments, files or meshes. */
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Arguments {
    std::string config, model, participant = "pintle", out;
    std::vector<std::pair<std::string, std::string>> points; /* body, file */
};

Arguments read_arguments(int argc, char **argv)
{
    Arguments arguments;
    std::vector<std::string> files;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word.rfind("--", 0) != 0) {
            files.push_back(word);
            continue;
        }
        if (i + 1 == argc) {
            throw UsageError(word + " needs a value");
        }
        const std::string value = argv[++i];
        const std::size_t equals = value.find('=');
        if (word == "--participant") {
            arguments.participant = value;
        } else if (word == "--out") {
            arguments.out = value;
        } else if (word == "--points" && equals != std::string::npos) {
            arguments.points.emplace_back(value.substr(0, equals), value.substr(equals + 1));
        } else {
            throw UsageError(word + " " + value + " is not understood");
        }
    }
    if (files.size() != 2) {
        throw UsageError("pintle-precice config.xml model.toml [--participant NAME] [--points BODY=FILE]... [--out FILE.csv]");
    }
    arguments.config = files[0];
    arguments.model = files[1];
    return arguments;
}

void add_points(pintle::System &system, const std::string &body, const std::string &path)
{
    const pintle::Id id = system.find("body", body);
    std::ifstream file(path);
    if (!file) {
        throw UsageError(path + " cannot be read");
    }
    std::string line;
    for (int number = 1; std::getline(file, line); number++) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        pintle::Pose frame = {{0, 0, 0, 1, 0, 0, 0}};
        char rest = 0;
        if (std::sscanf(line.c_str(), "%lf ,%lf ,%lf %c", &frame[0], &frame[1], &frame[2], &rest) != 3) {
            throw UsageError(path + ":" + std::to_string(number) + ": three numbers, x,y,z, are wanted, not " + line);
        }
        system.add_marker(id, frame);
    }
}

/* The points of one body: its markers, and the names of their vertices in preCICE. */
struct Surface {
    std::string mesh;
    std::vector<pintle::Id> markers;
    std::vector<precice::VertexID> vertices;
    std::vector<double> start, values; /* three numbers a point */
};

std::vector<Surface> find_surfaces(const pintle::System &system)
{
    std::map<pintle::Id, Surface> surfaces;
    for (pintle::Id marker = 0; marker < system.count("marker"); marker++) {
        const pintle::Id body = system.get_marker_info(marker).body;
        Surface &surface = surfaces[body];
        surface.mesh = system.get_name("body", body) + "-Mesh";
        surface.markers.push_back(marker);
    }
    if (surfaces.empty()) {
        throw UsageError("no body has points: give the model markers, or say --points BODY=FILE");
    }
    std::vector<Surface> found;
    for (auto &surface : surfaces) {
        found.push_back(surface.second);
    }
    return found;
}

/* Present positions of a surface's points, in I. */
std::vector<double> positions(const std::vector<pintle::Pose> &poses, const Surface &surface)
{
    std::vector<double> result;
    for (pintle::Id marker : surface.markers) {
        const pintle::Pose &pose = poses[static_cast<std::size_t>(marker)];
        result.insert(result.end(), pose.begin(), pose.begin() + 3);
    }
    return result;
}

class Participant {
public:
    Participant(const Arguments &arguments)
        : system_(pintle::System::load_model(arguments.model)), precice_(arguments.participant, arguments.config, 0, 1)
    {
        for (const auto &points : arguments.points) {
            add_points(system_, points.first, points.second);
        }
        surfaces_ = find_surfaces(system_);
        loads_.assign(static_cast<std::size_t>(system_.count("marker")), pintle::Vector6());
        system_.get_marker_poses(poses_); /* as described: at the start */
        for (Surface &surface : surfaces_) {
            if (precice_.getMeshDimensions(surface.mesh) != 3) {
                throw UsageError("mesh " + surface.mesh + " has to have three dimensions");
            }
            surface.start = positions(poses_, surface);
            surface.values.assign(surface.start.size(), 0.0);
            surface.vertices.resize(surface.markers.size());
            precice_.setMeshVertices(surface.mesh, surface.start, surface.vertices);
        }
        if (!arguments.out.empty()) {
            table_.open(arguments.out);
            if (!table_) {
                throw UsageError(arguments.out + " cannot be written");
            }
            table_.precision(17);
        }
    }

    void run()
    {
        if (precice_.requiresInitialData()) {
            write_displacements();
        }
        precice_.initialize();
        /* Forces of the fluid are set before initialize, so that initial accelerations are those of the coupled system. */
        read_forces(0.0);
        system_.initialize(0.0);
        write_head();
        while (precice_.isCouplingOngoing()) {
            if (precice_.requiresWritingCheckpoint()) {
                system_.state_save(checkpoint_);
            }
            const double dt = precice_.getMaxTimeStepSize();
            read_forces(dt); /* at the END of the step, as pintle takes them */
            system_.step(dt);
            write_displacements();
            precice_.advance(dt);
            iterations_++;
            if (precice_.requiresReadingCheckpoint()) {
                system_.state_restore(checkpoint_);
            } else {
                windows_++;
                write_row();
            }
        }
        precice_.finalize();
        std::printf("%ld windows, %.2f iterations each\n", windows_, static_cast<double>(iterations_) / static_cast<double>(windows_));
    }

private:
    void read_forces(double relative_time)
    {
        for (Surface &surface : surfaces_) {
            precice_.readData(surface.mesh, "Force", surface.vertices, relative_time, surface.values);
            for (std::size_t k = 0; k < surface.markers.size(); k++) {
                pintle::Vector6 &load = loads_[static_cast<std::size_t>(surface.markers[k])];
                std::copy(&surface.values[3 * k], &surface.values[3 * k] + 3, load.begin());
            }
        }
        system_.set_marker_loads(pintle::Frame::inertial, loads_);
    }

    void write_displacements()
    {
        system_.get_marker_poses(poses_); /* before `initialize` those of the start */
        for (Surface &surface : surfaces_) {
            const std::vector<double> now = positions(poses_, surface);
            for (std::size_t i = 0; i < now.size(); i++) {
                surface.values[i] = now[i] - surface.start[i];
            }
            precice_.writeData(surface.mesh, "Displacement", surface.vertices, surface.values);
        }
    }

    void write_head()
    {
        if (table_.is_open()) {
            table_ << "\"time [s]\"";
            for (std::int32_t i = 1; i < system_.channel_count(); i++) {
                table_ << ",\"" << system_.channel_name(i) << " [" << system_.channel_unit(i) << "]\"";
            }
            table_ << "\n";
            write_row();
        }
    }

    void write_row()
    {
        if (!table_.is_open()) {
            return;
        }
        system_.get_channels(channels_);
        for (std::size_t i = 0; i < channels_.size(); i++) {
            table_ << (i > 0 ? "," : "") << channels_[i];
        }
        table_ << std::endl; /* whole lines, whatever ends the run */
    }

    pintle::System system_;
    precice::Participant precice_;
    pintle::State checkpoint_;
    std::vector<Surface> surfaces_;
    std::vector<pintle::Vector6> loads_;
    std::vector<pintle::Pose> poses_;
    std::vector<double> channels_;
    std::ofstream table_;
    long windows_ = 0, iterations_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    try {
        Participant(read_arguments(argc, argv)).run();
        return 0;
    } catch (const UsageError &error) {
        std::cerr << "pintle-precice: " << error.what() << "\n";
        return 2;
    } catch (const pintle::Error &error) {
        std::cerr << "pintle-precice: " << error.what() << "\n";
    } catch (const std::exception &error) {
        std::cerr << "pintle-precice: " << error.what() << "\n";
    }
    return 1;
}
