// Writes docs/wire-schema/v1/<name>.schema.json from the zod schemas of core/src/wire; with --check it only compares, and exits 1 naming
// the files that differ. The list of released fields beside the tests is append-only: a field that disappears from the schemas stays in it,
// and the tests then fail. To start a new list, remove that file.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/wire-schema/v1');
const releasedFile = join(root, 'core/test/wire/released-fields.json');
const checkOnly = process.argv.includes('--check');

const wire = await loadWire();
const wanted = new Map(wire.WIRE_NAMES.map((name) => [`${name}.schema.json`, textOf(wire.wireSchemaFile(name))]));
const present = new Map(namesIn(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const differing = [...new Set([...wanted.keys(), ...present.keys()])].filter(
  (name) => wanted.get(name) !== present.get(name),
);

if (checkOnly) {
  for (const name of differing)
    console.error(`docs/wire-schema/v1/${name} differs: run node scripts/generate-wire-schema.mjs`);
  process.exitCode = differing.length === 0 ? 0 : 1;
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of differing) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  recordReleased();
  console.log(`${wanted.size} schemas, ${differing.length} changed`);
}

/** The current wire modules, bundled for this process. */
async function loadWire() {
  const bundleDir = mkdtempSync(join(tmpdir(), 'kebab-wire-'));
  const input = join(bundleDir, 'entry.mjs');
  const exporting = ['core/src/wire/names.ts', 'core/src/wire/wire-json-schema.ts', 'core/src/wire/wire-fields.ts'].map(
    (name) => `export * from ${JSON.stringify(join(root, name))};`,
  );
  writeFileSync(input, exporting.join('\n'));
  try {
    const bundle = await rolldown({
      input,
      platform: 'node',
      logLevel: 'silent', // lazy imports there are eager here
      external: /^better-sqlite3/,
      resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] },
    });
    await bundle.write({ dir: bundleDir, format: 'esm', entryFileNames: 'wire.mjs' });
    return await import(pathToFileURL(join(bundleDir, 'wire.mjs')).href);
  } finally {
    rmSync(bundleDir, { recursive: true, force: true });
  }
}

function recordReleased() {
  const released = readJson(releasedFile);
  const merged = wire.WIRE_NAMES.map((name) => [
    name,
    wire.recordFields(released[name] ?? {}, wire.wireFields(wire.wireJsonSchema(name))),
  ]);
  writeFileSync(releasedFile, textOf({ ...released, ...Object.fromEntries(merged) }));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function textOf(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
