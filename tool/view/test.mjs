// Opens pages of `pintle view` in headless Chromium and uses them. `scripts/test-view` runs this:
//
//   node test.mjs PACKAGES PICTURES PAGE...
//
// PACKAGES is a folder in which npm has installed package.json. A page must make no request but for
// itself, say no error, draw a picture, move bodies with the slider and when it plays, turn with
// mouse and finger, and fit on a phone. Pages whose name begins with `failed` must say that the run
// ended early. In pages whose name begins with `waves` the water moves; in those with `beam` the pointer finds a beam
// "rod" and a body "ball". Screenshots go to PICTURES.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makeContinuous } from "./source/angles.js";
import { Elevation, growth, wavenumber } from "./source/waves.js";

const [packages, pictures, ...pages] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

const PATH = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** WebGL is emulated, as on machines without a graphics card. */
const SOFTWARE = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const DESK = { width: 960, height: 640 };
const PHONE = { width: 360, height: 740 };

/** Longest wait for a page, in ms: software draws it, perhaps on a busy machine. */
const PATIENCE = 120000;

/** Fewer colours than this are a blank picture: the background alone has some dozens. */
const COLOURS = 150;

/** Part of the pixels that a moving point or a turned view changes at least. */
const CHANGED = 0.0001;

/** Opens a page with motion reduced, so that it does not play by itself. */
async function open(browser, path, viewport, complaints, hasTouch = false) {
  const context = await browser.newContext({ viewport, hasTouch, reducedMotion: "reduce", offline: true });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && !url.startsWith("blob:") && url !== pathToFileURL(path).href) complaints.push(`asks for ${url}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.getElementById("clock").textContent !== "");
  return page;
}

/**
 * Moves the slider to a part of the run, or leaves it where it is, and waits until the page has drawn that. Returns the number under which
 * the page keeps the pixels of the scene, for `compare`.
 */
function picture(page, part = null) {
  return page.evaluate((part) => {
    const slider = document.getElementById("time");
    if (part !== null) slider.value = part * slider.max;
    slider.dispatchEvent(new Event("input"));
    // Called after the page's own function for the same frame, which draws, and before the browser empties the canvas.
    return new Promise((done) => {
      requestAnimationFrame(() => {
        const view = document.getElementById("view");
        const context = new OffscreenCanvas(view.width, view.height).getContext("2d", { willReadFrequently: true });
        context.drawImage(view, 0, 0);
        window.pictures ??= [];
        window.pictures.push(new Uint32Array(context.getImageData(0, 0, view.width, view.height).data.buffer));
        done(window.pictures.length - 1);
      });
    });
  }, part);
}

/** The number of colours of a picture, and the part of the pixels that differ from another one. */
function compare(page, one, other) {
  return page.evaluate(
    (kept) => {
      const [first, second] = kept.map((k) => window.pictures[k]);
      return { colours: new Set(first).size, changed: first.filter((pixel, k) => pixel !== second[k]).length / first.length };
    },
    [one, other],
  );
}

/** Waits for some frames. */
function frames(page, count) {
  return page.evaluate(async (count) => {
    for (let k = 0; k < count; k++) await new Promise(requestAnimationFrame);
  }, count);
}

const readings = (page) => page.locator("#charts").innerText();

/** The water of a page is nowhere still: far from the model a part of the picture changes in an eighth of a period. */
async function testWaves(page, start) {
  const { changed } = await compare(page, start, await picture(page, 0.05));
  assert.ok(changed > 0.1, `the water moves: ${changed} of the pixels change`);
}

/** The names under the pointer all over the scene: the tube of the beam is where its nodes are. */
async function testNames(page) {
  const names = await page.evaluate(() => {
    const view = document.getElementById("view");
    const { left, top, width, height } = view.getBoundingClientRect();
    const found = new Set();
    for (let x = 2; x < width; x += 8) {
      for (let y = 2; y < height; y += 4) {
        view.dispatchEvent(new PointerEvent("pointermove", { clientX: left + x, clientY: top + y }));
        found.add(document.getElementById("label").textContent);
      }
    }
    view.dispatchEvent(new PointerEvent("pointerleave"));
    return [...found];
  });
  for (const name of ["rod", "ball"]) assert.ok(names.includes(name), `the pointer finds ${name}: ${names}`);
}

/** Elevations are the sum of waves that obey the dispersion relation, and grow over the ramp. */
function testElevations() {
  for (const [frequency, depth] of [[0.3, 5], [0.8, 60], [2, 200]]) {
    const k = wavenumber(frequency, 9.81, depth);
    const residual = (9.81 * k * Math.tanh(k * depth)) / frequency ** 2 - 1;
    assert.ok(Math.abs(residual) < 1e-12, `dispersion: ${residual}`);
  }
  assert.equal(wavenumber(2, 10, null), 0.4);
  assert.deepEqual([-1, 0, 2.5, 5, 10, 11].map((time) => growth(time, 10)), [0, 0, 0.15625, 0.5, 1, 1]);
  const components = [[2, 1, 0, 0.3], [0.5, 2, Math.PI / 2, -1]];
  const at = new Elevation({ components, gravity: 10, ramp: 0 }, null, [[0, 0], [7, -3]]).at(1.7);
  const exact = [[0, 0], [7, -3]].map(([x, y]) => 2 * Math.cos(0.1 * x - 1.7 + 0.3) + 0.5 * Math.cos(0.4 * y - 3.4 - 1));
  // Tables are float32.
  exact.forEach((elevation, k) => assert.ok(Math.abs(at[k] - elevation) < 1e-6, `${at[k]} ${elevation}`));
}

/** Angles of a body that tumbles go on where their principal values jump. */
function testAngles() {
  const exact = Array.from({ length: 600 }, (_, k) => [0.01 * k, 0.03 * k + 0.2, -0.02 * k]);
  const principal = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  const values = exact.map(([roll, pitch, yaw]) => {
    const half = Math.cos(pitch) < 0 ? Math.PI : 0;
    return [roll + half, half ? Math.PI - pitch : pitch, yaw + half].map(principal);
  });
  const column = (k) => Float32Array.from(values, (angles) => angles[k]);
  const channels = ["roll", "pitch", "yaw"].map((angle, k) => ({ name: `b.${angle}`, values: column(k) }));
  channels.push({ name: "a.yaw", values: column(2) });
  makeContinuous(channels);
  exact.forEach((angles, n) => {
    angles.forEach((angle, k) => assert.ok(Math.abs(channels[k].values[n] - angle) < 1e-4, `${channels[k].name} ${n}`));
  });
  const jumps = channels[3].values.filter((value, n, all) => n > 0 && Math.abs(value - all[n - 1]) > 3.2);
  assert.equal(jumps.length, 0, "a yaw alone has no jumps of a turn");
}

async function testOnDesk(browser, path) {
  const complaints = [];
  const page = await open(browser, path, DESK, complaints);
  const name = basename(path, ".html");
  const failed = name.startsWith("failed");
  assert.equal(await page.locator("#failure").isVisible(), failed, "says whether the run failed");
  assert.ok(!(await page.locator("#no-webgl").isVisible()), "has WebGL");
  const start = await picture(page);

  // The slider moves bodies and readings.
  const before = await readings(page);
  const later = await picture(page, 0.37);
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  const moved = await compare(page, start, later);
  assert.ok(moved.colours > COLOURS, `is not blank: ${moved.colours} colours`);
  if (name.startsWith("waves")) await testWaves(page, start);
  if (name.startsWith("beam")) await testNames(page);
  if (!failed) {
    assert.ok(moved.changed > CHANGED, `bodies move: ${moved.changed} of the pixels change`);
    assert.notEqual(await readings(page), before, "readings change");
    const again = await compare(page, start, await picture(page, 0));
    assert.ok(again.changed < CHANGED / 10, `the start looks the same again: ${again.changed}`);

    // It plays, and stops.
    await page.locator("#play").click();
    await page.waitForFunction(() => document.getElementById("time").value > 0);
    await page.locator("#play").click();
    const stopped = await page.locator("#clock").innerText();
    await frames(page, 2);
    assert.equal(await page.locator("#clock").innerText(), stopped, "stops");

    // A click into a chart goes to its time.
    const chart = page.locator(".chart canvas").first();
    await chart.click({ position: { x: (await chart.boundingBox()).width / 2, y: 60 } });
    const part = await page.locator("#time").evaluate((slider) => slider.value / slider.max);
    assert.ok(part > 0.3 && part < 0.7, `a click into the middle of a chart goes to ${part} of the run`);
  }

  // The mouse turns the view, and "fit" turns it back.
  await picture(page, 0);
  const box = await page.locator("#view").boundingBox();
  const [x, y] = [box.x + 0.3 * box.width, box.y + 0.8 * box.height];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y - 40, { steps: 5 });
  await page.mouse.up();
  const turned = await compare(page, start, await picture(page));
  assert.ok(turned.changed > CHANGED, `the mouse turns the view: ${turned.changed}`);
  await page.locator("#fit").click();
  const fitted = await compare(page, start, await picture(page));
  assert.ok(fitted.changed < CHANGED, `"fit" turns it back: ${fitted.changed}`);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

async function testOnPhone(browser, path) {
  const complaints = [];
  const page = await open(browser, path, PHONE, complaints, true);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, PHONE.width, "fits the width");
  const before = await picture(page, 0.37);
  await page.screenshot({ path: join(pictures, `${basename(path, ".html")}_phone.png`), fullPage: true });

  // A finger turns the view.
  const { x, y, width: across, height } = await page.locator("#view").boundingBox();
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x: x + 0.3 * across, y: y + 0.7 * height });
  for (let n = 1; n <= 5; n++) await touch("touchMove", { x: x + (0.3 + 0.08 * n) * across, y: y + 0.7 * height });
  await touch("touchEnd");
  const turned = await compare(page, before, await picture(page));
  assert.ok(turned.changed > CHANGED, `a finger turns the view: ${turned.changed}`);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

/** Without WebGL the charts still work. */
async function testWithoutWebgl(path) {
  const browser = await chromium.launch({ executablePath: PATH, args: ["--no-sandbox", "--disable-3d-apis"] });
  const page = await open(browser, path, DESK, []);
  assert.ok(await page.locator("#no-webgl").isVisible(), "says that there is no WebGL");
  const before = await readings(page);
  await picture(page, 0.5);
  assert.notEqual(await readings(page), before, "readings change without WebGL");
  await browser.close();
}

testElevations();
testAngles();
console.log("ok elevations and angles");
const browser = await chromium.launch({ executablePath: PATH, args: SOFTWARE });
for (const path of pages) {
  await testOnDesk(browser, path);
  await testOnPhone(browser, path);
  console.log(`ok ${basename(path)}`);
}
await browser.close();
await testWithoutWebgl(pages[0]);
console.log("ok without WebGL");
