// Starts the page: decodes the run, connects controls, scene and charts, and plays.

import { showAxes } from "./axes.js";
import { Charts } from "./charts.js";
import { TENSION_GRADIENT } from "./colours.js";
import { digits, prefixed } from "./numbers.js";
import { readRun } from "./run.js";
import { Stage } from "./stage.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Runs between these lengths are played as fast as they are, in seconds. */
const WATCHABLE = [4, 40];

const ICONS = {
  play: '<svg width="14" height="16"><path d="M1 1l12 7-12 7z" fill="currentColor"/></svg>',
  pause: '<svg width="14" height="16"><path d="M2 1h3v14H2zM9 1h3v14H9z" fill="currentColor"/></svg>',
};

const element = (id) => document.getElementById(id);

function say(id, text) {
  element(id).textContent = text;
  element(id).hidden = text === "";
}

/** The speed at which a run takes about 20 s. */
function usualSpeed(duration) {
  if (duration >= WATCHABLE[0] && duration <= WATCHABLE[1]) return 1;
  const wanted = Math.log(duration / 20);
  return SPEEDS.reduce((best, speed) => {
    return Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best;
  });
}

function describe(run) {
  const count = (number, singular, plural) => number > 0 && `${number} ${number === 1 ? singular : plural}`;
  const { bodies, frames, start, duration } = run;
  // Nodes of beams are bodies, but only those with parts of their own are counted.
  const nodes = run.beams.flatMap((beam) => beam.nodes.map((node) => node.body));
  const bare = new Set(nodes.filter((body) => body >= 0 && !run.parts.some((part) => part.body === body)));
  const points = run.strands.filter((strand) => strand.segments === 0).length;
  element("title").textContent = run.title;
  say(
    "facts",
    [
      count(bodies.length - bare.size, "body", "bodies"),
      count(run.beams.length, "beam", "beams"),
      count(run.strands.length - points, "line or spring", "lines and springs"),
      count(points, "point", "points"),
      `${digits(start)} to ${digits(start + duration)} s`,
      count(frames, "frame", "frames"),
      run.scheme,
    ]
      .filter(Boolean)
      .join(" · "),
  );
  say("thinned", run.thinned);
  say("failure", run.failure && `The run ended early: ${run.failure}`);
  const [least, most] = run.tensionRange;
  if (most > least) {
    element("tension").hidden = false;
    element("tension-bar").style.background = TENSION_GRADIENT;
    const [factor, unit] = prefixed("N", Math.max(Math.abs(least), Math.abs(most)));
    element("tension-caption").textContent = `tension (${unit})`;
    const ends = element("tension-ends").children;
    [least, most].forEach((tension, k) => {
      ends[k].textContent = digits(tension / factor, (most - least) / factor / 10);
    });
  }
}

/** The scene, or none where the browser has no WebGL. */
function makeStage(run) {
  try {
    const stage = new Stage(run, element("view"));
    say("scale", `grid ${digits(stage.cell)} m`);
    return stage;
  } catch (error) {
    console.warn(error);
    element("no-webgl").hidden = false;
    return null;
  }
}

async function start() {
  const run = await readRun();
  describe(run);
  const stage = makeStage(run);
  const [slider, clock, play, speed] = ["time", "clock", "play", "speed"].map(element);
  let time = 0;
  let isPlaying = false;
  let needsPicture = true;

  const seek = (to) => {
    time = Math.min(Math.max(to, 0), run.duration);
    slider.value = time;
    needsPicture = true;
  };
  const setPlaying = (playing) => {
    isPlaying = playing && run.frames > 1;
    play.innerHTML = isPlaying ? ICONS.pause : ICONS.play;
    play.setAttribute("aria-label", isPlaying ? "pause" : "play");
  };
  const charts = new Charts(run, element("charts"), (to) => {
    setPlaying(false);
    seek(to);
  });

  // Controls
  slider.max = run.duration;
  slider.addEventListener("input", () => {
    setPlaying(false);
    seek(Number(slider.value));
  });
  play.addEventListener("click", () => setPlaying(!isPlaying));
  speed.append(...SPEEDS.map((factor) => new Option(`${factor}x`, factor)));
  speed.value = usualSpeed(run.duration);
  element("fit").addEventListener("click", () => {
    stage?.fit();
    needsPicture = true;
  });
  document.addEventListener("keydown", (event) => {
    const isControl = event.target.matches("input, select, button");
    const frames = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (isControl || !(frames || event.key === " ")) return;
    event.preventDefault();
    if (frames) {
      setPlaying(false);
      const { frame, part } = run.at(time);
      const now = part > 0.5 ? frame + 1 : frame;
      seek(run.times[Math.min(Math.max(now + frames, 0), run.frames - 1)]);
    } else setPlaying(!isPlaying);
  });

  // The name of what the pointer is on
  element("view").addEventListener("pointermove", (event) => {
    const [x, y] = [event.offsetX, event.offsetY];
    say("label", (event.buttons === 0 && stage?.nameAt(x, y)) || "");
    element("label").style.left = `${x + 12}px`;
    element("label").style.top = `${y + 12}px`;
  });
  element("view").addEventListener("pointerleave", () => say("label", ""));

  const resize = () => {
    stage?.resize();
    charts.resize();
    needsPicture = true;
  };
  new ResizeObserver(resize).observe(element("scene"));
  stage?.controls.addEventListener("change", () => (needsPicture = true));
  resize();
  setPlaying(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);

  let before = performance.now();
  const frame = (now) => {
    if (isPlaying) {
      // A tab that was hidden goes on where it was.
      const step = (Math.min(now - before, 100) / 1000) * Number(speed.value);
      seek(time >= run.duration ? 0 : time + step);
    }
    before = now;
    if (needsPicture) {
      needsPicture = false;
      clock.textContent = `${(run.start + time).toFixed(run.duration < 1 ? 3 : 2)} s`;
      charts.show(time);
      if (stage) {
        stage.show(time);
        stage.render();
        showAxes(element("axes"), stage.camera);
      }
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

start().catch((error) => {
  say("failure", `This browser cannot show the page: ${error.message}`);
  throw error;
});
