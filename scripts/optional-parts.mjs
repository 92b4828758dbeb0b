// The parts of kebab that are too large for its package: libraries that the bundle loads when needed. Each is pinned by the version and
// integrity in package-lock.json.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** `probe` is a module whose presence shows that the part is installed. */
const PARTS = [
  {
    name: 'ocr',
    summary: 'reading text in pictures',
    probe: 'sharp',
    packages: ['sharp', 'tesseract.js', '@tesseract.js-data/eng', '@tesseract.js-data/kor'],
  },
  {
    name: 'pdf',
    summary: 'drawing pages of PDF files',
    probe: '@napi-rs/canvas',
    packages: ['@napi-rs/canvas', 'pdfjs-dist'],
  },
  {
    name: 'embeddings',
    summary: 'running models on this machine',
    probe: 'onnxruntime-node',
    packages: ['onnxruntime-node'],
  },
];
/** Modules that resolve files of these packages, not only the packages. */
const READS_FILES = /\/plugins\/(?:image-ocr|pdf)\/src\//;
const OURS = /\/(?:plugins|kits)\/[^/]+\/src\//;
/** The only library in the bundle that imports a part itself, eagerly. */
export const TRANSFORMERS = /@huggingface\/transformers\/dist\/transformers\.node\.mjs/;
const MODULE = 'kebab:parts';

/** Redirects the plugins' imports of a part to `bin/parts.cjs`, which resolves installed parts. */
export const optionalParts = {
  name: 'optional-parts',
  resolveId(id) {
    return id === MODULE ? { id: '../../bin/parts.cjs', external: true } : null;
  },
  transform(code, id) {
    if (TRANSFORMERS.test(id)) {
      const led = code.replace('requireFromHere("onnxruntime-node")', 'parts.require("onnxruntime-node")');
      if (led === code) throw new Error(`${id} asks for onnxruntime-node in another way`);
      return { code: `import parts from '${MODULE}';\n${led}`, map: null };
    }
    if (!OURS.test(id)) return null;
    let led = code.replaceAll(/\bimport\('([^']+)'\)/g, (whole, specifier) =>
      isOfPart(specifier) ? `parts.load('${specifier}')` : whole,
    );
    if (READS_FILES.test(id)) led = led.replaceAll('createRequire(import.meta.url)', 'parts.asRequire');
    return led === code ? null : { code: `import parts from '${MODULE}';\n${led}`, map: null };
  },
};

function isOfPart(specifier) {
  return PARTS.some(({ packages }) => packages.some((name) => `${specifier}/`.startsWith(`${name}/`)));
}

/** Writes the parts beside the bundle: an index, and for each a package.json with its lock file. */
export function writeParts(folder, root) {
  const { packages: locked } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  mkdirSync(folder, { recursive: true });
  const index = PARTS.map(({ name, summary, probe, packages }) => {
    const files = filesOf(name, packages, locked);
    writeFileSync(`${folder}/${name}.json`, JSON.stringify(files));
    const hash = createHash('sha256').update(files.lock).digest('hex').slice(0, 8);
    return { name, summary, probe, packages, folder: `${name}-${hash}` };
  });
  writeFileSync(`${folder}/index.json`, JSON.stringify({ parts: index }));
}

function filesOf(name, packages, locked) {
  const dependencies = Object.fromEntries(packages.map((one) => [one, locked[`node_modules/${one}`].version]));
  const own = { name: `kebab-part-${name}`, version: '0.0.0', private: true, dependencies };
  const lock = {
    name: own.name,
    version: own.version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: own.name, version: own.version, dependencies },
      ...Object.fromEntries(closureOf(packages, locked).map((place) => [place, entryOf(locked[place])])),
    },
  };
  return { package: `${JSON.stringify(own, null, 2)}\n`, lock: `${JSON.stringify(lock, null, 2)}\n` };
}

function entryOf({
  version,
  integrity,
  dependencies,
  optionalDependencies,
  optional,
  os,
  cpu,
  libc,
  hasInstallScript,
}) {
  if (integrity === undefined) throw new Error(`${version} of a part has no integrity in package-lock.json`);
  return { version, integrity, optional, os, cpu, libc, hasInstallScript, dependencies, optionalDependencies };
}

/** The transitive dependencies of packages, by their path in the lock file. */
function closureOf(packages, locked) {
  const places = new Set();
  const follow = (name, from) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
      const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      const found = locked[place];
      if (found === undefined && folder !== '') continue;
      if (found === undefined) throw new Error(`${name} is not in package-lock.json`);
      if (places.has(place)) return;
      places.add(place);
      for (const needed of Object.keys({ ...found.dependencies, ...found.optionalDependencies })) follow(needed, place);
      return;
    }
  };
  for (const name of packages) follow(name, '');
  return [...places].toSorted((a, b) => (a < b ? -1 : 1));
}
