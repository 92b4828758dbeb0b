'use strict';
// Caches V8's compiled code of the bundle between runs; without it a cold `kebab search` spends a third of its time compiling. Node 22.8
// and later have a compile cache of their own; on Node 20 this file loads the bundle. Paths are concatenated by hand: a few dozen calls of
// `path.join` make V8 spend fifteen milliseconds on optimising it.
const fs = require('node:fs');

/** A cache contains the functions that its first run used, so commands with little in common have separate caches. */
const PROFILES = ['search', 'fetch', 'list', 'cite', 'ask', 'mcp'];
/** Far more files than one build has. */
const MAX_FILES = 500;

/** Loads a CommonJS file of a folder and the files it requires, from the code cache where it has them. */
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

/**
 * Cached code is executed, so no other user may be able to write the folder. A missing folder is created with access for its owner only.
 */
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

  /** Packages resolve from here as from the bundle, because both are in the same package. */
  function requireFromBundle(id) {
    if (id.startsWith('./')) return loadFile(bundle + id.slice(1), requireFromBundle);
    if (id === 'better-sqlite3') return loadSqlite();
    return require(id.startsWith('../') ? `${bundle}/${id}` : id);
  }

  /** If Node resolved each of the thirteen files of this package, that would take a third of a cold search. */
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
    if (process.env.NODE_DISABLE_COMPILE_CACHE) return; // set by the command that removes the cache
    if (compiled.length > 0) makeRoom(cache);
    for (const { script, cacheFile } of compiled) store(cacheFile, script);
  });
  return loadFile(entry, requireFromBundle);
}

/** The folder of the package, where Node would find it. Node's own resolution compiles about a dozen functions first. */
function sqliteFolder() {
  for (let end = __dirname.length; end > 0; end = __dirname.lastIndexOf('/', end - 1)) {
    const folder = `${__dirname.slice(0, end)}/node_modules/better-sqlite3`;
    if (fs.existsSync(`${folder}/package.json`)) return fs.realpathSync.native(folder);
  }
  return require.resolve('better-sqlite3/package.json').slice(0, -'/package.json'.length);
}

/** Opens the addon at the location where builds put it, the first of many that the `bindings` package tries. */
function bindingsOf(root) {
  const addon = `${root}/build/Release/better_sqlite3.node`;
  if (!fs.existsSync(addon)) return require(require.resolve('bindings', { paths: [root] }));
  return () => {
    const module = { exports: {} };
    process.dlopen(module, addon); // what `require` does eventually
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

/** Every build leaves files behind that later builds do not use. */
function makeRoom(folder) {
  try {
    makeFolder(folder);
    if (fs.readdirSync(folder).length <= MAX_FILES) return;
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
  } catch {
    // Failing to write the cache only costs time; the next run tries again.
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

/** Node's recursive mkdir, also in its own compile cache, never returns if creating a folder fails with `ENOENT`, as in `/proc`. */
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
