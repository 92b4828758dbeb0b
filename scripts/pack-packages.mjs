// Packs the published packages into a folder: `node scripts/pack-packages.mjs FOLDER`, after `npm run build`. Every package is assembled in
// a staging folder: without source maps, which refer to sources that are not shipped, and with its licence. The command line includes its
// bundle, and from packages that are mostly for other uses only the files that it reads.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ABOUT, NAMES, PUBLISHED, repositoryOf } from './published.mjs';
import { buildThinPlugin } from './thin-plugin.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const LICENCE = /^(?:licen[cs]e|notice|copying)/i;
const GRAMMAR = /^(?:[^/]+\.wasm|queries\/(?:tags|highlights)\.scm)$/;
/** Packages from which the command line includes only the files that it reads. */
const TAKEN_ALONG = {
  'tree-sitter-c': GRAMMAR,
  'tree-sitter-cpp': GRAMMAR,
  'tree-sitter-go': GRAMMAR,
  'tree-sitter-java': GRAMMAR,
  'tree-sitter-javascript': GRAMMAR,
  'tree-sitter-python': GRAMMAR,
  'tree-sitter-rust': GRAMMAR,
  'tree-sitter-typescript': GRAMMAR,
  '@tree-sitter-grammars/tree-sitter-kotlin': GRAMMAR,
  'web-tree-sitter': /^web-tree-sitter\.(?:c?js|wasm)$/,
  'pdfjs-dist': /^(?:legacy\/build\/pdf(?:\.worker)?\.mjs|(?:cmaps|standard_fonts|wasm|iccs)\/.+)$/,
};
/** Sends spans to a collector: 18 MB, which the command line bundles, and which no plugin that imports the core needs. */
const TRACING = /^@opentelemetry\//;
/** The package for plugin authors, which is assembled separately. */
const THIN = 'kits/plugin';
/** Packages that are not bundled, but installed by npm. */
const INSTALLED = ['better-sqlite3', 'satteri', '@vscode/ripgrep'];

/** Packs the published packages, all or those of some folders, and returns the tarballs by package name. */
export async function packAll(folder, places = PUBLISHED) {
  mkdirSync(folder, { recursive: true });
  const staging = mkdtempSync(path.join(tmpdir(), 'kebab-pack-'));
  try {
    const packed = {};
    for (const place of places) {
      const { name, tarball } = await packOne(place, path.join(staging, place.replace('/', '-')), folder);
      packed[name] = tarball;
    }
    return packed;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function packOne(place, staging, folder) {
  const source = path.join(root, place);
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const isCli = place === 'host-cli';
  const isThin = place === THIN;
  const files = isCli ? ['bin', 'dist/bundle'] : manifest.files.filter((one) => !one.startsWith('!'));
  for (const name of isThin ? [] : files) copy(path.join(source, name), path.join(staging, name));
  if (isThin) await buildThinPlugin(path.join(staging, 'dist'));
  copy(path.join(source, 'README.md'), path.join(staging, 'README.md'));
  copy(path.join(root, 'LICENSE'), path.join(staging, 'LICENSE'));
  if (isCli) for (const name of Object.keys(TAKEN_ALONG)) takeAlong(name, staging);
  if (isThin) delete manifest.dependencies; // it is bundled
  if (place === 'core') {
    makeOptional(manifest, TRACING);
    addSuites(manifest, staging);
  }
  const published = {
    ...(isCli ? cliManifest(manifest) : libraryManifest(manifest)),
    ...repositoryOf(remote(), place),
  };
  writeFileSync(path.join(staging, 'package.json'), renamed(`${JSON.stringify(published, null, 2)}\n`));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', path.resolve(folder)];
  const options = { cwd: staging, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 };
  const [{ name, filename }] = JSON.parse(execFileSync('npm', args, options));
  return { name, tarball: path.join(path.resolve(folder), filename.replace('@', '').replace('/', '-')) };
}

/** The address that this checkout was cloned from; empty if there is none. */
function remote() {
  const { stdout } = spawnSync('git', ['config', '--get', 'remote.origin.url'], { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').trim();
}

/** Copies without maps, build information and type tests, and removes references to maps. */
function copy(from, to) {
  cpSync(from, to, { recursive: true, filter: (file) => !/\.map$|\.tsbuildinfo$/.test(file) });
  for (const file of filesIn(to))
    if (/\.(?:[cm]?js|d\.[cm]?ts|md|json)$/.test(file)) {
      const text = readFileSync(file, 'utf8');
      const shipped = renamed(text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
      if (shipped !== text) writeFileSync(file, shipped);
    }
}

function filesIn(place) {
  if (!existsSync(place)) return [];
  const entries = readdirSync(path.dirname(place), { withFileTypes: true });
  if (entries.some((entry) => entry.name === path.basename(place) && entry.isFile())) return [place];
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

function renamed(text) {
  return Object.entries(NAMES).reduce(
    (written, [ours, published]) => written.replaceAll(new RegExp(`${ours}(?![\\w-])`, 'g'), published),
    text,
  );
}

/** The manifest without exports of sources, which are not published. */
function libraryManifest({ devDependencies: _tools, scripts: _scripts, exports, ...manifest }) {
  const offered = Object.entries(exports).map(([entry, to]) => {
    const { 'kebab-src': _source, ...conditions } = typeof to === 'string' ? {} : to;
    return [entry, typeof to === 'string' ? to : conditions];
  });
  return { ...manifest, ...ABOUT, exports: Object.fromEntries(offered) };
}

/**
 * Adds the contract suites, a workspace of their own here, as the entry `./testing`. They import the other entries of the core by its name,
 * as they do here.
 */
function addSuites(manifest, staging) {
  copy(path.join(root, 'testing/dist'), path.join(staging, 'dist/testing'));
  manifest.exports['./testing'] = { types: './dist/testing/index.d.ts', default: './dist/testing/index.js' };
}

/** Makes dependencies peers that npm does not install by itself. */
function makeOptional(manifest, names) {
  const optional = Object.entries(manifest.dependencies).filter(([name]) => names.test(name));
  for (const [name] of optional) delete manifest.dependencies[name];
  manifest.peerDependencies = Object.fromEntries(optional);
  manifest.peerDependenciesMeta = Object.fromEntries(optional.map(([name]) => [name, { optional: true }]));
}

/** The command line depends on the unbundled packages, and on kebab's packages that plugins import. */
function cliManifest({ name, version, description, mcpName, bin, type, dependencies }) {
  const own = PUBLISHED.filter((place) => place === 'core' || place === 'kits/plugin')
    .map((place) => path.join(root, place, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
  return {
    name,
    version,
    description,
    keywords: ['knowledge-base', 'search', 'mcp', 'cli', 'markdown', 'notes'],
    ...ABOUT,
    mcpName,
    bin,
    type,
    files: ['bin', 'dist'],
    exports: { './package.json': './package.json' },
    dependencies: {
      ...Object.fromEntries(own.map((one) => [one.name, `^${one.version}`])),
      ...Object.fromEntries(INSTALLED.map((one) => [one, dependencies[one] ?? versionOf(one)])),
      ...Object.fromEntries(Object.keys(TAKEN_ALONG).map((one) => [one, versionOf(one)])),
    },
    bundleDependencies: Object.keys(TAKEN_ALONG),
  };
}

function versionOf(name) {
  return JSON.parse(readFileSync(path.join(folderOf(name), 'package.json'), 'utf8')).version;
}

function folderOf(name) {
  return path.join(root, 'node_modules', name);
}

/** Copies a package with only the files that are read, its licence, and a package.json without dependencies. */
function takeAlong(name, staging) {
  const [from, to] = [folderOf(name), path.join(staging, 'node_modules', name)];
  const wanted = filesIn(from)
    .map((file) => path.relative(from, file).replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/') && (TAKEN_ALONG[name].test(file) || LICENCE.test(file)));
  if (!wanted.some((file) => LICENCE.test(file))) throw new Error(`${name} has no licence to take along`);
  for (const file of wanted) cpSync(path.join(from, file), path.join(to, file));
  const { version, license, type, main, exports, repository } = require(path.join(from, 'package.json'));
  const manifest = { name, version, license, repository, type, main, exports };
  writeFileSync(path.join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const tarballs = await packAll(process.argv[2] ?? 'packed');
  for (const [name, file] of Object.entries(tarballs)) console.log(`${name}  ${path.relative(process.cwd(), file)}`);
}
