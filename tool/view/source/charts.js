// Charts of channels over time, one for each unit. Curves grow with time; what is still to come is
// faint.

import { makeContinuous } from "./angles.js";
import { CURVES } from "./colours.js";
import { digits, prefixed, ticks } from "./numbers.js";
import { between } from "./run.js";

const MARGIN = { left: 58, right: 10, top: 18, bottom: 22 };

/** Draws the charts of a run; `seek` is called with the time of a point that is clicked. */
export class Charts {
  constructor(run, parent, seek) {
    makeContinuous(run.channels);
    const units = [...new Set(run.channels.map((channel) => channel.unit))];
    this.charts = units.map((unit) => {
      const channels = run.channels.filter((channel) => channel.unit === unit);
      return new Chart(run, unit, channels, parent, seek);
    });
  }

  resize() {
    for (const chart of this.charts) chart.resize();
  }

  show(time) {
    for (const chart of this.charts) chart.show(time);
  }
}

class Chart {
  constructor(run, unit, channels, parent, seek) {
    Object.assign(this, { run, channels });
    const figure = document.createElement("div");
    figure.className = "chart";
    const legend = document.createElement("ul");
    legend.className = "legend";
    this.readings = channels.map((channel, k) => {
      const entry = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = channel.name;
      name.style.color = CURVES[k % CURVES.length];
      const reading = document.createElement("span");
      entry.append(name, " ", reading);
      legend.append(entry);
      return reading;
    });
    this.canvas = document.createElement("canvas");
    // Drawn by the processor: without a graphics card, long curves would take seconds through emulated WebGL.
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", channels.map((channel) => channel.name).join(", "));
    figure.append(legend, this.canvas);
    parent.append(figure);

    // Reduced one by one, because a spread of thousands of arguments may overflow the stack.
    this.least = Infinity;
    this.most = -Infinity;
    for (const { values } of channels) {
      for (const value of values) {
        this.least = Math.min(this.least, value);
        this.most = Math.max(this.most, value);
      }
    }
    [this.factor, this.unit] = prefixed(unit, Math.max(Math.abs(this.least), Math.abs(this.most)));
    // A constant is shown in a range of its own size.
    const air = this.most > this.least ? 0.06 * (this.most - this.least) : Math.abs(this.most) * 0.1 || 1;
    this.least -= air;
    this.most += air;

    const seekTo = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const width = box.width - MARGIN.left - MARGIN.right;
      seek(((event.clientX - box.left - MARGIN.left) / width) * run.duration);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seekTo(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) seekTo(event);
    });
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  show(time) {
    const { run, width, height, context } = this;
    const right = width - MARGIN.right;
    const bottom = height - MARGIN.bottom;
    const x = (t) => MARGIN.left + (run.duration > 0 ? t / run.duration : 0) * (right - MARGIN.left);
    const y = (value) => bottom - ((value - this.least) / (this.most - this.least)) * (bottom - MARGIN.top);
    context.clearRect(0, 0, width, height);

    // Grid and labels
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = "#e6ebf0";
    context.fillStyle = "#5d6b7a";
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.beginPath();
    const values = ticks(this.least / this.factor, this.most / this.factor, 5);
    const resolution = (this.most - this.least) / this.factor / 4;
    for (const value of values) {
      context.moveTo(MARGIN.left, y(value * this.factor));
      context.lineTo(right, y(value * this.factor));
      context.fillText(digits(value, resolution / 10), MARGIN.left - 6, y(value * this.factor));
    }
    context.stroke();
    context.textBaseline = "top";
    context.fillText("s", right, bottom + 6);
    context.textAlign = "center";
    const times = ticks(run.start, run.start + (run.duration || 1), width / 90);
    for (const t of times) {
      if (x(t - run.start) < right - 16) context.fillText(digits(t, (run.duration || 1) / 1000), x(t - run.start), bottom + 6);
    }
    context.textAlign = "left";
    context.textBaseline = "bottom";
    context.fillText(this.unit, MARGIN.left + 2, MARGIN.top - 1);

    // Curves: all of the run faintly, then as far as the time
    const place = run.at(time);
    context.lineJoin = "round";
    this.channels.forEach(({ values }, k) => {
      context.strokeStyle = CURVES[k % CURVES.length];
      const draw = (last, alpha, lineWidth, end) => {
        context.globalAlpha = alpha;
        context.lineWidth = lineWidth;
        context.beginPath();
        for (let frame = 0; frame <= last; frame++) context.lineTo(x(run.times[frame]), y(values[frame]));
        if (end !== undefined) context.lineTo(x(time), y(end));
        context.stroke();
      };
      const now = between(values, place);
      draw(run.frames - 1, 0.2, 1);
      draw(place.frame, 1, 1.8, now);
      context.beginPath();
      context.fillStyle = context.strokeStyle;
      context.arc(x(time), y(now), 2.6, 0, 7);
      context.fill();
      this.readings[k].textContent = `${digits(now / this.factor, resolution / 100)} ${this.unit === "-" ? "" : this.unit}`;
    });
  }
}
