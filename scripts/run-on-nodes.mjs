// Runs the main tasks of the built command line on the other supported versions of Node: adds a folder, ingests, searches, verifies a
// citation and ingests again. Each Node, and the better-sqlite3 that fits it, comes from the npm registry.
//
//   npm run build && npm run test:nodes [-- 22 24]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
/** Enough text to trigger garbage collection while statements are in use. */
const FILES = 400;

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-nodes-'));
try {
  const tree = path.join(folder, 'kebab');
  const sqlite = unpacked('better-sqlite3@13');
  if (sqlite !== null) layOut(tree, sqlite);
  for (const major of sqlite === null ? [] : majors) {
    const place = unpacked(`node-${process.platform}-${process.arch}@${major}`);
    if (place === null) continue;
    const node = path.join(place, 'bin', 'node');
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    useOn(node, { tree, home: path.join(folder, `home-${major}`) });
    console.log(`Node ${version}: the main job is done`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The folder with the files of a package from the registry; null, with a message, if it is unavailable. */
function unpacked(name) {
  const place = path.join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(place);
  let packed;
  try {
    packed = execFileSync('npm', ['pack', '--silent', name], { cwd: place, encoding: 'utf8' }).trim();
  } catch {
    console.log(`skipped: the registry does not give ${name}`);
    return null;
  }
  execFileSync('tar', ['-xzf', packed.split('\n').at(-1), '--strip-components=1'], { cwd: place });
  return place;
}

/** Copies the built command line, with every library of the checkout except better-sqlite3. */
function layOut(tree, sqlite) {
  const modules = path.join(tree, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.') && !name.startsWith('better-sqlite3') && name !== '@kebab')
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  cpSync(sqlite, path.join(modules, 'better-sqlite3'), { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(path.join(root, 'host-cli', part), path.join(tree, 'host-cli', part), { recursive: true });
}

function useOn(node, { tree, home }) {
  const notes = path.join(home, 'notes');
  mkdirSync(notes, { recursive: true });
  for (let i = 0; i < FILES; i++)
    writeFileSync(path.join(notes, `n${i}.md`), `# Note ${i}\n\n${`word${i} `.repeat(800)}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    KEBAB_SERVICE: 'off', // nothing keeps running afterwards
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
  };
  const kebab = (...line) =>
    execFileSync(node, [path.join(tree, 'host-cli/bin/kebab.cjs'), ...line], { cwd: home, env, encoding: 'utf8' });
  kebab('add', 'notes');
  expect(kebab('ingest', '--json', '--summary-only'), '"errors":0', 'an ingest');
  expect(kebab('search', 'word7', '-l'), 'n7.md', 'a search');
  expect(kebab('cite', 'verify', 'n7.md#L1-L3'), 'n7.md#L1-L3', 'a citation');
  rmSync(path.join(notes, 'n8.md'));
  expect(kebab('ingest', '--json', '--summary-only'), '"purged":1', 'the next ingest');
  expect(kebab('status'), `${FILES - 1} documents`, 'the status');
}

function expect(text, part, what) {
  if (!text.includes(part)) throw new Error(`${what}: ${JSON.stringify(part)} is not in\n${text}`);
}
