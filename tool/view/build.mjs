// Writes page.html, which the tool carries: the sources with three.js in one file, and the licence
// of three.js, which must go with it. `scripts/view` runs this:
//
//   node build.mjs PACKAGES TARGET
//
// PACKAGES is a folder in which npm has installed package.json.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "source");
const [packages, target] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(packages, "package.json"))("esbuild");

function bundled(name) {
  const { outputFiles } = buildSync({
    entryPoints: [join(source, name)],
    nodePaths: [join(packages, "node_modules")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
  });
  return outputFiles[0].text.trim();
}

const licence = join(packages, "node_modules/three/LICENSE");
// No text of a script may end the script element.
const script = bundled("main.js").replaceAll("</script", "<\\/script");
const style = bundled("style.css");
// Functions, because $ has a meaning in a replacement string.
const page = readFileSync(join(source, "index.html"), "utf8")
  .replace("<html lang", () => `<!-- Contains three.js, https://threejs.org\n\n${readFileSync(licence, "utf8").trim()}\n-->\n<html lang`)
  .replace("/* style */", () => style)
  .replace("/* script */", () => script);
writeFileSync(join(target, "page.html"), page);
copyFileSync(licence, join(target, "LICENSE-three"));
