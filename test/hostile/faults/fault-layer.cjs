// Loaded into kebab with `node --require`, before anything else: counts reads and writes, and makes one of them fail. FAULT is JSON: the
// operation that is counted, which occurrence fails, and how. FAULT_COUNT names a file for the counts of a whole run.
'use strict';
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { layer, nth = 0, action, code, folder = '/', swap } = JSON.parse(process.env.FAULT || '{}');
const counts = { sqlite: 0, commit: 0, write: 0, read: 0, clock: 0 };
const real = { ...fs };
const isKebab = isMainThread && /kebab\.c?js$/.test(process.argv[1] || '');

/** Counts one operation; true when it is the one to fail, or a later one where all of them fail. */
function isDue(kind) {
  const count = ++counts[kind];
  return kind === layer && action !== 'pages' && (count === nth || (action === 'throw-on' && count >= nth));
}

const kill = () => process.kill(process.pid, 'SIGKILL');

function around(kind, perform, failure) {
  const due = isDue(kind);
  if (due && action === 'kill-before') kill();
  if (due && action.startsWith('throw')) throw failure();
  const result = perform();
  if (due && action === 'kill-after') kill();
  return result;
}

/** The library by its name, or, where Node imports it, by its file. */
const SQLITE = /^better-sqlite3$|better-sqlite3[\\/]lib[\\/]index\.js$/;

/** Patches any copy of the library, from any folder. */
function patchSqliteWhenLoaded() {
  const Module = require('node:module');
  const loader = '_load'; // Node's name for it
  const load = Module[loader];
  const patched = new Set();
  const patchOnce = (exported) => {
    if (!patched.has(exported)) patchSqlite(exported);
    patched.add(exported);
    return exported;
  };
  Module[loader] = function (request, ...rest) {
    const exported = load.call(this, request, ...rest);
    return SQLITE.test(request) ? patchOnce(exported) : exported;
  };
}

function patchSqlite(Database) {
  const failure = () => new Database.SqliteError(`injected ${code}`, code);
  const kindOf = (sql) => (/^\s*(COMMIT|RELEASE)/i.test(sql) ? 'commit' : 'sqlite');
  const own = { ...Database.prototype };
  let isSmall = action !== 'pages';
  Database.prototype.exec = function (sql) {
    if (!isSmall) own.exec.call(this, `PRAGMA max_page_count = ${nth}`);
    isSmall = true;
    return around(kindOf(sql), () => own.exec.call(this, sql), failure);
  };
  Database.prototype.prepare = function (sql, ...rest) {
    const statement = own.prepare.call(this, sql, ...rest);
    patchStatements(Object.getPrototypeOf(statement), kindOf, failure);
    return statement;
  };
  const memory = new Database(':memory:');
  memory.prepare('SELECT 1'); // the statements of a transaction are made without `prepare`
  memory.close();
}

const patchedPrototypes = new Set();

function patchStatements(prototype, kindOf, failure) {
  if (patchedPrototypes.has(prototype)) return;
  patchedPrototypes.add(prototype);
  for (const name of ['run', 'get', 'all']) {
    const original = prototype[name];
    prototype[name] = function (...values) {
      const isWrite = name === 'run' || !this.readonly;
      return isWrite
        ? around(kindOf(this.source), () => original.apply(this, values), failure)
        : original.apply(this, values);
    };
  }
}

const systemError = (name, path) =>
  Object.assign(new Error(`${code}: injected, ${name} '${String(path)}'`), {
    code,
    errno: -5,
    syscall: name,
    path: String(path),
  });

const isWritten = (flags) =>
  flags !== undefined &&
  flags !== null &&
  (typeof flags === 'number' ? (flags & 3) !== 0 : !String(flags).startsWith('r'));
const isInside = (path) => typeof path === 'string' && path.startsWith(folder) && !path.includes('/kebab/code');

function patchFiles(target, asynchronous) {
  const wrap = (name, kind, isMeant) => {
    const original = target[name];
    if (typeof original !== 'function') return;
    const wrapped = function (...values) {
      if (!isMeant(values)) return original.apply(this, values);
      const perform = () => {
        if (kind === 'read' && layer === 'read' && action === 'swap' && counts.read + 1 === nth) swapFile(values[0]);
        return original.apply(this, values);
      };
      const callback = values.at(-1);
      try {
        return around(kind, perform, () => systemError(name, values[0]));
      } catch (error) {
        if (asynchronous) return Promise.reject(error);
        if (typeof callback !== 'function') throw error;
        return process.nextTick(callback, error);
      }
    };
    target[name] = Object.assign(wrapped, original);
  };
  for (const name of [
    'writeFile',
    'appendFile',
    'mkdir',
    'rename',
    'unlink',
    'rm',
    'copyFile',
    'link',
    'symlink',
    'truncate',
    'utimes',
    'chmod',
  ])
    for (const each of [name, `${name}Sync`]) wrap(each, 'write', ([path]) => isInside(path));
  for (const name of ['open', 'openSync']) wrap(name, 'write', ([path, flags]) => isInside(path) && isWritten(flags));
  for (const name of ['open', 'openSync']) wrap(name, 'read', ([path, flags]) => isInside(path) && !isWritten(flags));
  for (const name of [
    'readFile',
    'readFileSync',
    'readdir',
    'readdirSync',
    'opendir',
    'opendirSync',
    'stat',
    'statSync',
    'lstat',
    'lstatSync',
    'realpath',
    'realpathSync',
  ])
    wrap(name, 'read', ([path]) => isInside(path));
}

/** Swaps a file just before it is read. */
function swapFile(path) {
  const other = {
    gone: () => real.rmSync(path, { force: true, recursive: true }),
    emptied: () => real.writeFileSync(path, ''),
    longer: () => real.appendFileSync(path, '\nmore\n'.repeat(20_000)),
  };
  const replaced = {
    pipe: () => require('node:child_process').execFileSync('mkfifo', [path]),
    zeros: () => real.symlinkSync('/dev/zero', path),
    folder: () => real.mkdirSync(path),
    loop: () => real.symlinkSync(path, path),
    binary: () => real.writeFileSync(path, Buffer.alloc(5000)),
  };
  try {
    if (other[swap]) other[swap]();
    else {
      real.rmSync(path, { force: true, recursive: true });
      replaced[swap]();
    }
  } catch {
    // the path may be a folder that cannot be swapped
  }
}

/** Makes the clock jump at its nth reading. */
function patchClock() {
  const RealDate = Date;
  const shift = Number(code);
  const now = () =>
    isDue('clock') || (layer === 'clock' && counts.clock > nth) ? RealDate.now() + shift : RealDate.now();
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(now());
      else super(...values);
    }
    static now() {
      return now();
    }
  };
}

if (isKebab) {
  patchSqliteWhenLoaded();
  if (layer === 'clock' || process.env.FAULT_COUNT) patchClock();
  patchFiles(fs, false);
  patchFiles(fs.promises, true);
  const file = process.env.FAULT_COUNT;
  if (file) process.on('exit', () => real.writeFileSync(file, JSON.stringify(counts)));
}
