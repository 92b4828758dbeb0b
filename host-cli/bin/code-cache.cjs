'use strict';
// Keeps V8's compiled form of the bundle between runs: a cold `kebab search` would spend a third of its time compiling.
// Node 22.8 and later do this by themselves; for Node 20 the files of the bundle are loaded here. Paths are put together
// by hand: some dozens of `path.join` are enough for V8 to spend fifteen milliseconds on optimising it.
const fs = require('node:fs');

/** A cache holds the functions that its first run used, so commands with little in common keep apart. */
const PROFILES = ['search', 'fetch', 'list', 'cite', 'ask', 'mcp'];
/** Far more than one build has. */
const MAX_FILES = 500;

/** Loads a CommonJS file of a folder and those it requires, compiled already if they ever were. */
exports.load = function load(folder, name) {
  const entry = `${folder}/${name}`;
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return require(entry);
  const cache = cacheFolder();
  if (!keepsCompiledCode()) return cache === null ? require(entry) : loadCommonJs(folder, entry, cache);
  if (cache !== null && isMade(cache)) require('node:module').enableCompileCache(cache);
  return require(entry);
};

function keepsCompiledCode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 8);
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || `${process.env.HOME || require('node:os').homedir()}/.cache`;
  const profile = PROFILES.find((name) => process.argv.includes(name)) ?? 'other';
  const folders = [base, `${base}/kebab`, `${base}/kebab/code`, `${base}/kebab/code/${profile}`];
  return folders.every(isOwn) ? folders[3] : null;
}

const WRITABLE_BY_OTHERS = 0o002;

/** What is loaded from here runs: no other user may have put it there. A folder that is missing will be made for its owner alone. */
function isOwn(folder) {
  if (process.getuid === undefined) return true;
  try {
    const { uid, mode } = fs.statSync(folder);
    return uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0;
  } catch (error) {
    return error.code === 'ENOENT';
  }
}

function loadCommonJs(bundle, entry, cache) {
  const { Script } = require('node:vm');
  const modules = new Map();
  const compiled = [];

  /** Packages are found from here as from the bundle: both lie in one package. */
  function requireFromBundle(id) {
    if (id.startsWith('./')) return loadFile(bundle + id.slice(1), requireFromBundle);
    if (id === 'better-sqlite3') return loadSqlite();
    return require(id.startsWith('../') ? `${bundle}/${id}` : id);
  }

  /** The thirteen files of this package would take a third of a cold search if Node looked for each of them. */
  function loadSqlite() {
    const root = sqliteFolder();
    const requireFrom = (folder) => (id) => {
      if (id === 'bindings') return bindingsOf(root);
      if (!id.startsWith('.')) return require(id);
      const name = id.startsWith('../') ? id.slice(3) : folder + id.slice(2);
      return loadFile(`${root}/lib/${name}.js`, requireFrom(name.slice(0, name.lastIndexOf('/') + 1)));
    };
    return requireFrom('')('./index');
  }

  function loadFile(file, requireFromFile) {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const cacheFile = `${cache}/${cacheName(file)}`;
    const cachedData = readIfThere(cacheFile);
    // All of these files are ASCII, which this encoding reads fastest.
    const source = `(function (exports, require, module, __filename, __dirname) { ${fs.readFileSync(file, 'latin1')}\n})`;
    const script = new Script(source, { filename: file, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) compiled.push({ script, cacheFile });
    script.runInThisContext()(module.exports, requireFromFile, module, file, bundle);
    return module.exports;
  }

  process.once('exit', () => {
    if (process.env.NODE_DISABLE_COMPILE_CACHE) return; // the command says so that removes the cache
    if (compiled.length > 0) makeRoom(cache);
    for (const { script, cacheFile } of compiled) store(cacheFile, script);
  });
  return loadFile(entry, requireFromBundle);
}

/** The folder of the package, where Node would find it. Asked itself, Node compiles some dozen functions to look. */
function sqliteFolder() {
  for (let end = __dirname.length; end > 0; end = __dirname.lastIndexOf('/', end - 1)) {
    const folder = `${__dirname.slice(0, end)}/node_modules/better-sqlite3`;
    if (fs.existsSync(`${folder}/package.json`)) return fs.realpathSync.native(folder);
  }
  return require.resolve('better-sqlite3/package.json').slice(0, -'/package.json'.length);
}

/** Opens the addon where a build leaves it; the package of this name looks there first of many places. */
function bindingsOf(root) {
  const addon = `${root}/build/Release/better_sqlite3.node`;
  if (!fs.existsSync(addon)) return require(require.resolve('bindings', { paths: [root] }));
  return () => {
    const module = { exports: {} };
    process.dlopen(module, addon); // what `require` does in the end
    return module.exports;
  };
}

/** V8 looks only at the length of a source, so the name distinguishes builds. */
function cacheName(file) {
  const { mtimeMs, size } = fs.statSync(file);
  const name = file.slice(file.lastIndexOf('/') + 1);
  return `${name}-${Math.round(mtimeMs)}-${size}-${process.version}-${process.arch}.bin`;
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Every build leaves files behind that no later one uses. */
function makeRoom(folder) {
  try {
    makeFolder(folder);
    if (fs.readdirSync(folder).length <= MAX_FILES) return;
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
  } catch {
    // A cache that cannot be kept only costs time; the next run tries again.
  }
}

function isMade(folder) {
  try {
    makeFolder(folder);
    return true;
  } catch {
    return false; // as above
  }
}

/** Node's own recursion, also in its cache of compiled code, never returns where making a folder answers `ENOENT`, as in `/proc`. */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(require('node:path').dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
}

function store(file, script) {
  try {
    // The same as writeAtomically of the core, which is not loaded yet when this file runs.
    const draft = `${file.slice(0, file.lastIndexOf('/'))}/.kebab-${crypto.randomUUID().replaceAll('-', '')}.tmp`;
    try {
      fs.writeFileSync(draft, script.createCachedData(), { flag: 'wx' });
      fs.renameSync(draft, file);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  } catch {
    // As above.
  }
}
