// Takes pictures of pages of `pintle view` for docs/gallery.md, in headless Chromium. `scripts/gallery` runs this:
//
//   node gallery.mjs PACKAGES PICTURES PAGE...
//
// PACKAGES is a folder in which npm has installed package.json. The picture of NAME.html is PICTURES/gallery_NAME.png.

import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, pictures, ...pages] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

const PATH = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SOFTWARE = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Part of the run at which its picture is taken. */
const PART = 0.37;

const browser = await chromium.launch({ executablePath: PATH, args: SOFTWARE });
const context = await browser.newContext({ viewport: { width: 600, height: 620 }, reducedMotion: "reduce", offline: true });
context.setDefaultTimeout(120000);
for (const path of pages) {
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.getElementById("clock").textContent !== "");
  await page.locator("#time").evaluate((slider, part) => {
    slider.value = part * slider.max;
    slider.dispatchEvent(new Event("input"));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, PART);
  await page.locator("#scene").screenshot({ path: join(pictures, `gallery_${basename(path, ".html")}.png`) });
  await page.close();
}
await browser.close();
