//! Pages of `pintle view`: the numbers in them are those of the library.

use super::{files_in, folder, model, outcome, pintle, printed, root};
use flate2::read::ZlibDecoder;
use pintle::Simulation;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A page, decoded as its script does it. A column is one number over all frames.
struct Page {
    run: Value,
    size: usize,
    /// Times, poses, channels.
    floats: Vec<Vec<f32>>,
    /// Coordinates of the nodes of lines and springs, rounded.
    nodes: Vec<Vec<f64>>,
    /// Tensions, rounded.
    tensions: Vec<Vec<f64>>,
}

impl Page {
    fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).unwrap();
        let element = |id: &str| {
            let start = text.find(&format!("id=\"{id}\">")).unwrap_or_else(|| panic!("no element {id}"));
            let content = &text[start + id.len() + 6..];
            &content[..content.find("</script>").unwrap()]
        };
        let run: Value = serde_json::from_str(element("run")).unwrap();
        let mut bytes = Vec::new();
        ZlibDecoder::new(&*base64(element("frames"))).read_to_end(&mut bytes).unwrap();

        let count = |key: &str| run[key].as_array().unwrap().len();
        let segments: usize =
            run["strands"].as_array().unwrap().iter().map(|strand| strand["segments"].as_u64().unwrap() as usize).sum();
        let frames = run["frames"].as_u64().unwrap() as usize;
        let mut rest = &bytes[..];
        let mut table = |columns: usize, width: usize| -> Vec<Vec<u32>> {
            let (planes, others) = rest.split_at(columns * frames * width);
            rest = others;
            let column = |k: usize| {
                let mut sum = 0_u32;
                let summed = (0..frames).map(|frame| {
                    let number = |byte: usize| u32::from(planes[(byte * columns + k) * frames + frame]) << (8 * byte);
                    sum = sum.wrapping_add((0..width).map(number).sum()) & (u32::MAX >> (32 - 8 * width));
                    sum
                });
                summed.collect()
            };
            (0..columns).map(column).collect()
        };
        let floats = table(1 + 7 * count("bodies") + count("channels"), 4);
        let nodes = table(3 * (segments + count("strands")), 2);
        let tensions = table(segments, 1);
        assert!(rest.is_empty(), "{} bytes are left", rest.len());

        let scaled = |column: &Vec<u32>, range: &Value, parts: f64| {
            let [least, most] = [0, 1].map(|k| range[k].as_f64().unwrap());
            column.iter().map(|part| least + (most - least) * f64::from(*part) / parts).collect()
        };
        let (ranges, range) = (&run["nodeRanges"], &run["tensionRange"]);
        Page {
            size: text.len(),
            floats: floats.iter().map(|column| column.iter().map(|bits| f32::from_bits(*bits)).collect()).collect(),
            nodes: nodes.iter().enumerate().map(|(k, column)| scaled(column, &ranges[k % 3], 65535.0)).collect(),
            tensions: tensions.iter().map(|column| scaled(column, range, 255.0)).collect(),
            run,
        }
    }

    fn frames(&self) -> usize {
        self.floats[0].len()
    }

    /// The names of the channels.
    fn titles(&self) -> Vec<&str> {
        self.run["channels"].as_array().unwrap().iter().map(|channel| channel["name"].as_str().unwrap()).collect()
    }

    /// Whether a tension is what the page has of it: the next step, or the end of the range.
    fn has_tension(&self, found: f64, tension: f64) -> bool {
        let [least, most] = [0, 1].map(|k| self.run["tensionRange"][k].as_f64().unwrap());
        (found - tension.clamp(least, most)).abs() <= 0.501 / 255.0 * (most - least)
    }

    fn text(&self, key: &str) -> &str {
        self.run[key].as_str().unwrap()
    }
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{letter} is no digit of base64"),
    };
    let digits: Vec<u8> = text.trim_end_matches('=').bytes().map(digit).collect();
    let groups = digits.chunks(4).flat_map(|group| {
        let bits = (0..4).fold(0, |bits, k| bits << 6 | u32::from(group.get(k).copied().unwrap_or(0)));
        bits.to_be_bytes()[1..group.len()].to_vec()
    });
    groups.collect()
}

/// Frames are those of the library at their times, to the last bit of a float32; nodes and
/// tensions of springs within their rounding.
#[test]
fn frames_are_the_states_of_the_run() {
    let folder = folder("view");
    for (name, end) in [("heavy_top", "2"), ("floating_platform", "10"), ("modes", "3.007")] {
        let file = model(name);
        let arguments = ["--step", "0.01", "--end", end, "--fps", "20", "-o", "page.html", "--channels", "*.vel.?"];
        let said = printed(pintle(&folder, &["view"]).arg(&file).args(arguments));
        let page = Page::read(&folder.join("page.html"));
        let end: f64 = end.parse().unwrap();
        let frames = (end / 0.05).ceil() as usize + 1;
        assert_eq!(page.frames(), frames);
        assert_eq!(said, format!("page.html: {frames} frames, {:.2} MB\n", page.size as f64 / 1e6));
        assert_eq!((page.text("title"), page.text("failure"), page.text("thinned")), (name, "", ""));

        let mut sim = Simulation::load_model(&file).unwrap();
        sim.initialize(0.0).unwrap();
        let channels: Vec<(usize, String)> = (0..sim.channels().count().unwrap())
            .map(|k| (k as usize, sim.channels().name(k).unwrap()))
            .filter(|(_, name)| name.contains(".vel."))
            .collect();
        assert_eq!(page.titles(), channels.iter().map(|(_, name)| name).collect::<Vec<_>>());
        let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
        for frame in 0..frames {
            for n in 0..if frame == 0 { 0 } else { 5 } {
                let rest = end - (frame as f64 * 5.0 - 5.0 + f64::from(n)) * 0.01;
                if rest > 1e-9 {
                    sim.step(if rest < 0.01 - 1e-9 { end - 300.0 * 0.01 } else { 0.01 }).unwrap();
                }
            }
            sim.channels().values(&mut values).unwrap();
            let mut expected = vec![sim.time().unwrap() as f32];
            for body in 0..page.run["bodies"].as_array().unwrap().len() {
                expected.extend(sim.outputs().body_pose(body as i32).unwrap().map(|x| x as f32));
            }
            expected.extend(channels.iter().map(|(k, _)| values[*k] as f32));
            let found: Vec<f32> = page.floats.iter().map(|column| column[frame]).collect();
            assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}, frame {frame}");
            assert_eq!(found.len(), expected.len());
            for (spring, tensions) in page.tensions.iter().enumerate() {
                let (length, tension) = sim.outputs().spring_force(spring as i32).unwrap();
                let ends: Vec<f64> = (0..6).map(|k| page.nodes[6 * spring + k][frame]).collect();
                let apart = (0..3).map(|k| (ends[k + 3] - ends[k]).powi(2)).sum::<f64>().sqrt();
                assert!((apart - length).abs() < 1e-4 * length, "{apart} {length}");
                assert!(page.has_tension(tensions[frame], tension), "{tension}");
            }
        }
    }
}

const HOIST: &str = r#"
pintle_model = 1
gravity = [0, 0, -9.81]
[[body]]
name = "load"
mass = 50.0
inertia = [1, 1, 1, 0, 0, 0]
pose = [0.1, 0, -3, 1, 0, 0, 0]
[[tendon]]
name = "hoist"
body_a = "ground"
point_a = [-0.2, 0, 0]
body_b = "load"
point_b = [0, 0, 0]
sheave_b = { radius = 0.2, axis = [0, -1, 0], wrap = 3.1 }
body_c = "ground"
point_c = [0.2, 0, 0]
stiffness_ea = 1e5
rest_length = 6.6
"#;

/// Tendons are in pages and in frames, with arcs about their sheaves.
#[test]
fn tendons_are_drawn_about_their_sheaves() {
    let folder = folder("view_hoist");
    fs::write(folder.join("hoist.toml"), HOIST).unwrap();
    let step = ["--step", "0.01", "--end", "0.5"];
    printed(pintle(&folder, &["view", "hoist.toml", "--fps", "20", "-o", "page.html"]).args(step));
    let page = Page::read(&folder.join("page.html"));
    let strands = page.run["strands"].as_array().unwrap();
    assert_eq!((strands.len(), strands[0]["name"].as_str()), (1, Some("hoist")));
    let nodes = strands[0]["segments"].as_u64().unwrap() as usize + 1;
    for frame in 0..page.frames() {
        let at = |node: usize, k: usize| page.nodes[3 * node + k][frame];
        assert!((at(0, 0) + 0.2).abs() < 1e-4 && (at(nodes - 1, 0) - 0.2).abs() < 1e-4);
        // The pose of the load is exact, places are rounded to the 65535th part of the picture.
        let load = [1, 3].map(|k| f64::from(page.floats[k][frame]));
        for node in 1..nodes - 1 {
            let distance = f64::hypot(at(node, 0) - load[0], at(node, 2) - load[1]);
            assert!((distance - 0.2).abs() < 3e-4, "{frame} {node}: {distance}");
            assert!(at(node, 2) < load[1] + 0.02, "above the load");
        }
    }
    printed(pintle(&folder, &["run", "hoist.toml", "--vtk", "frames", "--vtk-interval", "0.1"]).args(step));
    let text = fs::read_to_string(folder.join("frames/hoist_000001.vtp")).unwrap();
    assert!(text.contains("\"tendon\""), "{text}");
}

/// Nodes of lines are within their rounding; 300 s of a moored platform in waves take less than
/// 1 MB.
#[test]
fn a_moored_platform_fits_into_a_megabyte() {
    let folder = folder("view_moored");
    let file = root().join("tests/programs/builds/moored_platform.toml");
    let mut loads = String::from("time,body.platform.load.fx,body.platform.load.fz,body.platform.load.my\n");
    for n in 0..=600 {
        let (time, wave) = (f64::from(n) * 0.5, (f64::from(n) * 0.5 * 0.6).sin_cos());
        writeln!(loads, "{time},{},{},{}", 4e6 * wave.0, 1.3924e8 + 3e6 * wave.1, 5e7 * wave.0).unwrap();
    }
    fs::write(folder.join("loads.csv"), loads).unwrap();
    let arguments = ["--step", "0.05", "--end", "300", "--load-table", "loads.csv", "-o", "page.html"];
    let said = printed(pintle(&folder, &["view"]).arg(&file).args(arguments));
    let page = Page::read(&folder.join("page.html"));
    let thinned =
        "Thinned to a frame every 0.2 s in place of 0.05 s, because a page of this model has at most 2000 frames";
    assert_eq!(said, format!("page.html: 1501 frames, {:.2} MB\n{thinned}\n", page.size as f64 / 1e6));
    assert_eq!((page.frames(), page.text("thinned")), (1501, thinned));
    assert!(page.size < 1_000_000, "{}", page.size);
    let titles = page.titles();
    let of_body = ["pos.x", "pos.y", "pos.z", "roll", "pitch", "yaw"].map(|channel| format!("platform.{channel}"));
    assert_eq!(titles[..6], of_body);
    assert!(titles[6..].iter().all(|title| title.contains(".tension")), "{titles:?}");
    // The colours leave out 0.2 % of the tensions at each end, which are at the ends of the range.
    let lines = page.tensions[..60].concat();
    let [least, most] = [0, 1].map(|k| page.run["tensionRange"][k].as_f64().unwrap());
    for end in [least, most] {
        let at_end = lines.iter().filter(|tension| (**tension - end).abs() < 1e-9 * (most - least)).count() as f64
            / lines.len() as f64;
        assert!((0.002..0.01).contains(&at_end), "{at_end}");
    }
    let times = &page.floats[0];
    assert!((0..1501).all(|frame| (f64::from(times[frame]) - 0.2 * frame as f64).abs() < 1e-4));
    assert_eq!((page.run["hasWater"].as_bool(), page.run["depth"].as_f64()), (Some(true), Some(200.0)));

    let mut sim = Simulation::load_model(&file).unwrap();
    sim.initialize(0.0).unwrap();
    let (mut nodes, mut tensions) = (vec![[0.0; 3]; 21], vec![0.0; 20]);
    // Three lines, a spring, three anchors.
    assert_eq!((page.nodes.len(), page.tensions.len()), (3 * (3 * 21 + 2 + 3), 3 * 20 + 1));
    for line in 0..3 {
        sim.lines().positions(line, &mut nodes).unwrap();
        sim.lines().tensions(line, &mut tensions).unwrap();
        for (k, value) in nodes.as_flattened().iter().enumerate() {
            let found = page.nodes[63 * line as usize + k][0];
            assert!((found - value).abs() < 0.02, "line {line}: {found} {value}");
        }
        for (k, value) in tensions.iter().enumerate() {
            let found = page.tensions[20 * line as usize + k][0];
            assert!(page.has_tension(found, *value), "line {line}: {found} {value}");
        }
    }
}

/// The page computes elevations from components: with the dispersion relation of deep water their
/// sum is the elevation that the library has, at any place and time.
#[test]
fn the_components_of_waves_give_the_elevations_of_the_library() {
    let folder = folder("view_waves");
    let waves =
        "components = { amplitudes = [0.5, 1.5], frequencies = [1.1, 0.7], headings = [0, 0.4], phases = [2, -1] }";
    let view = |arguments: &[&str]| {
        let said = printed(pintle(&folder, &["view"]).arg(model("spar")).args(["-o", "page.html"]).args(arguments));
        (said, Page::read(&folder.join("page.html")))
    };
    let (said, page) = view(&["--end", "3", "--waves", waves]);
    assert!(said.starts_with("page.html: 76 frames"), "{said}");
    let mut sim = Simulation::load_model(&model("spar")).unwrap();
    sim.settings().set_waves_from_text(waves).unwrap();
    sim.initialize(0.0).unwrap();
    (0..300).for_each(|_| sim.step(0.01).unwrap());
    let sea = &page.run["waves"];
    let (gravity, ramp) = (sea["gravity"].as_f64().unwrap(), sea["ramp"].as_f64().unwrap());
    assert_eq!((ramp, page.run["depth"].as_f64()), (0.0, None));
    for place in [[0.0, 0.0, 0.0], [30.0, -70.0, 0.0]] {
        let elevations = sea["components"].as_array().unwrap().iter().map(|numbers| {
            let [amplitude, frequency, heading, phase] = [0, 1, 2, 3].map(|k| numbers[k].as_f64().unwrap());
            let along = place[0] * heading.cos() + place[1] * heading.sin();
            amplitude * (frequency * frequency / gravity * along - frequency * 3.0 + phase).cos()
        });
        let (sum, expected) = (elevations.sum::<f64>(), sim.outputs().water_motion(&[place]).unwrap()[0].elevation);
        assert!((sum - expected).abs() < 1e-9 && expected != 0.0, "{sum} {expected}");
    }
    // Of many components, those with the largest amplitudes.
    let (_, page) = view(&["--end", "0.1", "--waves", "jonswap = { height = 6, period = 12, components = 400 }"]);
    assert_eq!(page.run["waves"]["components"].as_array().unwrap().len(), 100);
    assert_eq!(view(&["--end", "0.1"]).1.run["waves"], Value::Null);
}

#[test]
fn a_failed_run_is_1_and_its_page_says_so() {
    let folder = folder("view_failed");
    let arguments = ["--end", "1", "--set", "max_iterations=1", "-o", "page.html"];
    let (code, stdout, stderr) = outcome(pintle(&folder, &["view"]).arg(model("heavy_top")).args(arguments));
    assert!(code == 1 && stderr.contains("no convergence at time 0.01"), "{code}: {stderr}");
    assert!(stdout.starts_with("page.html: 1 frame,"), "{stdout}");
    let page = Page::read(&folder.join("page.html"));
    assert_eq!(page.frames(), 1);
    assert!(page.text("failure").contains("no convergence at time 0.01"), "{}", page.text("failure"));
    assert!(page.text("failure").ends_with("(at t = 0.000000 s)"), "{}", page.text("failure"));
}

/// A signal ends the run: the page has the frames before it and the state that was reached.
#[test]
fn an_interrupted_run_leaves_a_page() {
    let folder = folder("view_interrupted");
    let arguments = ["--step", "0.001", "--end", "1e6", "--fps", "1000", "-o", "page.html"];
    let mut command = pintle(&folder, &["view"]);
    command.arg(model("heavy_top")).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The page has another name until it is complete.
    let begun = Instant::now();
    while files_in(&folder).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(100), "no page is begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted at t = ") && stderr.contains("; page.html: "), "{stderr}");
    let page = Page::read(&folder.join("page.html"));
    assert!(page.text("failure").starts_with("interrupted (at t = "), "{}", page.text("failure"));
    // However long the run was to be, what it reached has many frames.
    assert!((10..=2000).contains(&page.frames()), "{}", page.frames());
}

/// Beams have the axes of their sections in those of the bodies of their nodes, and the extent of
/// their sections; bodies without mass of their own have no boxes.
#[test]
fn beams_are_in_the_page() {
    let folder = folder("view_beams");
    printed(pintle(&folder, &["view"]).arg(model("flexible_pendulum")).args(["--end", "0.2", "-o", "page.html"]));
    let page = Page::read(&folder.join("page.html"));
    let beams = page.run["beams"].as_array().unwrap();
    let nodes = beams[0]["nodes"].as_array().unwrap();
    assert_eq!((beams.len(), &beams[0]["name"], nodes.len()), (1, &Value::from("rod"), 11));
    let numbers = |value: &Value| value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    let bodies = page.run["bodies"].as_array().unwrap();
    for (k, node) in nodes.iter().enumerate() {
        let name = if k == 10 { "ball".to_owned() } else { format!("rod.{k}") };
        assert_eq!(bodies[node["body"].as_u64().unwrap() as usize], Value::from(name));
        // A body that is a node has the axes of the section. On the ball, axis 2 of the section is
        // up, along z.
        let half = if k == 10 { std::f64::consts::FRAC_1_SQRT_2 } else { 0.0 };
        let axes = [0.0, 0.0, 0.0, (1.0 - half * half).sqrt(), half, 0.0, 0.0];
        let frame = numbers(&node["frame"]);
        assert!(frame.iter().zip(&axes).all(|(a, b)| (a - b).abs() < 1e-14), "{k}: {frame:?}");
        // A round section of 15 mm: EI = EA r^2 / 4, with three digits in the file.
        assert!(numbers(&node["halfAxes"]).iter().all(|axis| (axis - 0.015).abs() < 2e-5), "{node}");
    }
    let parts = page.run["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| part["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["sphere", "joint"]);
    // Charts have the end of the beam, not its other nodes.
    assert!(page.titles().iter().all(|title| !title.starts_with("rod.")), "{:?}", page.titles());
}

#[test]
fn models_without_bodies_and_names_of_any_letters_work() {
    let folder = folder("view_bodiless");
    fs::write(folder.join("<empty> & {{run}}.toml"), "pintle_model = 1\n").unwrap();
    printed(&mut pintle(&folder, &["view", "<empty> & {{run}}.toml", "--end", "1", "-o", "a.html"]));
    let page = Page::read(&folder.join("a.html"));
    assert_eq!((page.text("title"), page.frames(), page.floats.len()), ("<empty> & {{run}}", 26, 1));
    let point = "[[point]]\nname = \"</script>\\n\\\"\"\nmass = 1\nvelocity = [1, 0, 0]\n";
    fs::write(folder.join("point.toml"), format!("pintle_model = 1\n{point}position = [0, 0, 0]\n")).unwrap();
    printed(&mut pintle(&folder, &["view", "point.toml", "--end", "1", "-o", "-"]));
    printed(&mut pintle(&folder, &["view", "point.toml", "--end", "1", "-o", "b.html"]));
    let page = Page::read(&folder.join("b.html"));
    assert_eq!(page.run["channels"][0]["name"], "</script>\n\".pos.x");
    assert_eq!(page.floats[1][25], 1.0);
    assert_eq!(page.run["strands"][0]["segments"], 0);
    assert!(page.nodes[0][0] == 0.0 && (page.nodes[0][25] - 1.0).abs() < 1e-12, "{:?}", page.nodes[0]);
}

/// Two bodies and a shape of each kind.
const SHAPES: &str = r##"pintle_model = 1
[[body]]
name = "hull"
mass = 2
inertia = [1, 1, 1, 0, 0, 0]
pose = [0, 0, 0, 1, 0, 0, 0]
[[body]]
mass = 12
com = [1, 0, 0]
inertia = [13, 10, 5, 0, 0, 0]
pose = [0, 0, 5, 1, 0, 0, 0]
[[shape]]
body = "hull"
kind = "box"
size = [1, 2, 3]
frame = [0, 0, 1, 0, 1, 0, 0]
colour = "#E0a526"
[[shape]]
name = "mast"
body = 0
kind = "cylinder"
end_a = [0, 0, -1]
end_b = [0, 0, 1]
diameter = 2
[[shape]]
body = "ground"
kind = "capsule"
end_a = [0, 0, -1]
end_b = [0, 0, 1]
diameter = 0.5
[[shape]]
body = "hull"
kind = "sphere"
diameter = 4
[[shape]]
body = "hull"
kind = "stl"
file = "parts/plate.stl"
scale = 0.001
"##;

const PLATE: &str = "solid plate
facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1000 0 0 vertex 0 5e2 0 endloop endfacet
endsolid plate
";

/// The same triangle as a binary file.
fn binary_plate() -> Vec<u8> {
    let mut bytes = [&b"solid but binary"[..], &[0; 64], &1_u32.to_le_bytes(), &[0; 12]].concat();
    for x in [0.0_f32, 0.0, 0.0, 1000.0, 0.0, 0.0, 0.0, 500.0, 0.0] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend([0; 2]);
    bytes
}

#[test]
fn shapes_are_drawn_in_place_of_the_box_of_equal_inertia() {
    let folder = folder("view_shapes");
    fs::create_dir(folder.join("parts")).unwrap();
    fs::write(folder.join("shapes.toml"), SHAPES).unwrap();
    let page = |stl: &[u8]| {
        fs::write(folder.join("parts/plate.stl"), stl).unwrap();
        printed(&mut pintle(&folder, &["view", "shapes.toml", "--end", "0.1", "-o", "page.html"]));
        Page::read(&folder.join("page.html")).run["parts"].clone()
    };
    let parts = page(PLATE.as_bytes());
    let of = |key: &str| parts.as_array().unwrap().iter().map(|part| part[key].to_string()).collect::<Vec<_>>();
    assert_eq!(of("kind").join(" "), r#""box" "cylinder" "capsule" "sphere" "mesh" "box""#);
    assert_eq!(of("body"), ["0", "0", "-1", "0", "0", "1"]);
    assert_eq!(of("name")[..3], ["\"hull\"", "\"mast\"", "\"ground\""]);
    assert_eq!(of("colour")[..2], ["\"#E0a526\"", "null"]);
    assert_eq!(of("frame")[0], "[0.0,0.0,1.0,0.0,1.0,0.0,0.0]");
    assert_eq!((of("diameter")[3].as_str(), of("position")[3].as_str()), ("4.0", "[0.0,0.0,0.0]"));
    let corners: Vec<f32> = base64(parts[4]["corners"].as_str().unwrap())
        .chunks(4)
        .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(corners, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0]);
    assert_eq!(page(&binary_plate()), parts);

    // 12 Ix = m (ly^2 + lz^2), about the centre of mass: edges 1, 2, 3 along x, y, z.
    let (size, frame) = (&parts[5]["size"], &parts[5]["frame"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let mut edges: Vec<f64> = (0..3).map(|k| number(&size[k])).collect();
    edges.sort_by(f64::total_cmp);
    assert!(edges.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{edges:?}");
    assert_eq!([0, 1, 2].map(|k| number(&frame[k])), [1.0, 0.0, 0.0]);
    // The file that the library writes has them.
    let written = Simulation::load_model(&folder.join("shapes.toml")).unwrap();
    fs::write(folder.join("shapes.toml"), written.description().model_text().unwrap()).unwrap();
    assert_eq!(page(PLATE.as_bytes()), parts);
}

#[test]
fn wrong_shapes_are_refused_with_file_table_and_key() {
    let folder = folder("view_wrong_shapes");
    fs::create_dir(folder.join("parts")).unwrap();
    fs::write(folder.join("parts/plate.stl"), PLATE).unwrap();
    fs::write(folder.join("parts/none.stl"), "solid none\nendsolid none\n").unwrap();
    fs::write(folder.join("parts/text.stl"), "a letter").unwrap();
    fs::File::create(folder.join("parts/huge.stl")).unwrap().set_len(50_000_001).unwrap();
    let stl = |name: &str| format!("file = \"{name}\"");
    for (old, new, line, expected) in [
        (
            "kind = \"box\"",
            "kind = \"cube\"",
            14,
            "shape 0, key \"kind\": kind: \"cube\" is no kind of shape; known: box, cylinder, capsule, sphere, stl",
        ),
        ("kind = \"box\"\n", "", 12, "shape 0, key \"kind\": is missing"),
        ("body = \"hull\"\nkind = \"box\"", "kind = \"box\"", 12, "shape 0, key \"body\": is missing"),
        (
            "body = \"hull\"\nkind = \"box\"",
            "body = \"hulk\"\nkind = \"box\"",
            13,
            "shape 0, key \"body\": no body is named \"hulk\"",
        ),
        ("body = 0", "body = 2", 20, "shape 1, key \"body\": body = 2 is not a body: the model has 2"),
        (
            "body = 0",
            "body = [0]",
            20,
            "shape 1, key \"body\": expected the name or the id of a body, or \"ground\", found an array of 1",
        ),
        (
            "size = [1, 2, 3]",
            "sizes = [1, 2, 3]",
            15,
            "shape 0, key \"sizes\": is unknown; known: name, body, kind, colour, size, frame",
        ),
        (
            "size = [1, 2, 3]",
            "size = [1, 2]",
            15,
            "shape 0, key \"size\": expected an array of 3 numbers, found an array of 2",
        ),
        ("size = [1, 2, 3]", "size = [1, 0, 3]", 15, "shape 0, key \"size\": size: 0 is not above 0"),
        ("size = [1, 2, 3]", "size = [1, inf, 3]", 15, "shape 0, key \"size\": size[1] = inf is not finite"),
        ("1, 0, 1, 0, 0]", "1, 0, 0, 0, 0]", 16, "shape 0, key \"frame\": frame: quaternion"),
        ("#E0a526", "red", 17, "shape 0, key \"colour\": colour: \"red\" is no colour such as \"#e0a526\""),
        (
            "end_b = [0, 0, 1]\ndiameter = 2",
            "end_b = [0, 0, -1]\ndiameter = 2",
            23,
            "shape 1, key \"end_b\": end_b: is the same as end_a",
        ),
        ("diameter = 4", "diameter = -4", 34, "shape 3, key \"diameter\": diameter: -4 is not above 0"),
        ("scale = 0.001", "scale = 0", 39, "shape 4, key \"scale\": scale: 0 is not above 0"),
        (
            &stl("parts/plate.stl"),
            &stl("parts/missing.stl"),
            38,
            "shape 4, key \"file\": \"parts/missing.stl\": No such file",
        ),
        (&stl("parts/plate.stl"), &stl("parts"), 38, "shape 4, key \"file\": \"parts\": not a file"),
        (
            &stl("parts/plate.stl"),
            &stl("parts/text.stl"),
            38,
            "shape 4, key \"file\": \"parts/text.stl\": not an STL file",
        ),
        (
            &stl("parts/plate.stl"),
            &stl("parts/none.stl"),
            38,
            "shape 4, key \"file\": \"parts/none.stl\": has no triangles",
        ),
        (
            &stl("parts/plate.stl"),
            &stl("parts/huge.stl"),
            38,
            "shape 4, key \"file\": \"parts/huge.stl\": has 50000001 bytes, more than the 50000000 that are read",
        ),
        (
            &stl("parts/plate.stl"),
            &stl("../plate.stl"),
            38,
            "shape 4, key \"file\": \"../plate.stl\" is not in the folder of the model",
        ),
    ] {
        let wrong = SHAPES.replacen(old, new, 1);
        assert_ne!(wrong, SHAPES, "{old}");
        fs::write(folder.join("wrong.toml"), wrong).unwrap();
        for command in [&["view", "wrong.toml", "-o", "page.html"][..], &["check", "wrong.toml"]] {
            let (code, stdout, stderr) = outcome(&mut pintle(&folder, command));
            assert_eq!((code, stdout.as_str()), (2, ""), "{expected}: {stderr}");
            let said = format!("pintle: \"wrong.toml\" line {line}, {expected}");
            assert!(stderr.starts_with(&said), "{said}\n{stderr}");
        }
    }
    fs::write(folder.join("wrong.toml"), "pintle_model = 1\n\nshape = 3\n").unwrap();
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["view", "wrong.toml", "-o", "page.html"]));
    let said = "pintle: \"wrong.toml\" line 3, key \"shape\": expected tables, each under its own [[shape]], found the integer 3\n";
    assert_eq!((code, stderr.as_str()), (2, said));
}

#[test]
fn bad_arguments_name_argument_and_value() {
    let folder = folder("view_wrong");
    for (arguments, expected, status) in [
        (&["--end", "1"][..], "--out", 2),
        (&["-o", "page.html", "--end", "0"], "--end 0: not behind the start at 0", 2),
        (&["-o", "page.html", "--end", "-1"], "--end -1: not behind the start at 0", 2),
        (&["-o", "page.html", "--end", "nan"], "--end NaN: not finite", 2),
        (&["-o", "page.html", "--step", "0"], "--step 0: not above 0", 2),
        (&["-o", "page.html", "--fps", "0"], "--fps 0: not above 0", 2),
        (&["-o", "page.html", "--channels", "no"], "no channel is called no", 2),
        (&["-o", "page.html", "--load-table", "none.csv"], "none.csv", 2),
        (&["-o", "none/page.html"], "cannot write none/page.html", 3),
        (&["-o", "."], "cannot write .", 3),
    ] {
        let (code, stdout, stderr) = outcome(pintle(&folder, &["view"]).arg(model("pendulum")).args(arguments));
        assert_eq!((code, stdout.as_str()), (status, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
    assert_eq!(files_in(&folder), [""; 0]);
}
