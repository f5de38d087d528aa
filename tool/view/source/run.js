// The run that the page plays: its description as JSON, and its frames, which
// tool/src/view/recording.rs encodes.

const POSE = 7;

/** Decodes the run in the page. */
export async function readRun() {
  const run = JSON.parse(document.getElementById("run").textContent);
  const base64 = document.getElementById("frames").textContent;
  const compressed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Run(run, new Uint8Array(await new Response(stream).arrayBuffer()));
}

class Run {
  constructor(description, bytes) {
    Object.assign(this, description);
    const segments = this.strands.reduce((sum, strand) => sum + strand.segments, 0);
    const { frames } = this;
    const nodes = 3 * (segments + this.strands.length);
    const exact = 1 + POSE * this.bodies.length + this.channels.length;
    const [floats, places, parts] = columns(bytes, frames, [[exact, 4], [nodes, 2], [segments, 1]]);

    const numbers = floats.map((column) => new Float32Array(column.buffer));
    this.times = numbers[0];
    this.poses = this.bodies.map((_, body) => numbers.slice(1 + POSE * body, 1 + POSE * (body + 1)));
    this.channels.forEach((channel, k) => {
      channel.values = numbers[1 + POSE * this.bodies.length + k];
    });
    const coordinates = places.map((column, k) => scaled(column, this.nodeRanges[k % 3], 0xffff));
    const tensions = parts.map((column) => scaled(column, this.tensionRange, 0xff));
    let node = 0;
    let segment = 0;
    for (const strand of this.strands) {
      strand.nodes = coordinates.slice(node, (node += 3 * (strand.segments + 1)));
      strand.tensions = tensions.slice(segment, (segment += strand.segments));
    }
  }

  /** The time from the first to the last frame. */
  get duration() {
    return this.times[this.frames - 1];
  }

  /** The frame before a time, and the part of the interval after it: { frame, part }. */
  at(time) {
    let low = 0;
    let high = this.frames - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    const length = this.times[high] - this.times[low];
    const part = length > 0 ? Math.min(Math.max((time - this.times[low]) / length, 0), 1) : 0;
    return { frame: low, next: high, part };
  }
}

/** A value of a column between two frames. */
export function between(column, { frame, next, part }) {
  return column[frame] + (column[next] - column[frame]) * part;
}

/** Tables of columns of integers, from bytes; `sizes` has the count of columns and the width in bytes. */
function columns(bytes, frames, sizes) {
  let start = 0;
  return sizes.map(([count, width]) => {
    const plane = count * frames;
    const table = Array.from({ length: count }, (_, k) => {
      const column = new Uint32Array(frames);
      let sum = 0;
      for (let frame = 0; frame < frames; frame++) {
        for (let byte = 0; byte < width; byte++) {
          sum += bytes[start + byte * plane + k * frames + frame] << (8 * byte);
        }
        sum &= width === 4 ? -1 : (1 << (8 * width)) - 1;
        column[frame] = sum;
      }
      return column;
    });
    start += width * plane;
    return table;
  });
}

/** A column of parts of a range as numbers. */
function scaled(column, [least, most], parts) {
  return Float32Array.from(column, (part) => least + ((most - least) * part) / parts);
}
