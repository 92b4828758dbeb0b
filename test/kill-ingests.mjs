// Kills ingests at random moments, lets one complete, and then checks the database.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';

/** The maximum number of queries of `search --bulk`. */
const BULK = 100;

export async function killIngests({ bin, files, kills, env = {} }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-kill-'));
  const workspace = path.join(folder, 'kb');
  const home = homeIn(folder, workspace);
  const options = { cwd: folder, env: { PATH: process.env.PATH, KEBAB_SERVICE: 'off', ...home, ...env } };
  try {
    writeMarked(workspace, files);
    const killed = await killOften({
      bin,
      options,
      kills,
      longestMs: timeOfWholeRun(bin, options, home),
      workspace,
      files,
    });
    const last = execFileSync(process.execPath, [bin, 'ingest', '--json', '--summary-only'], {
      ...options,
      maxBuffer: 1e9,
    });
    const report = JSON.parse(last.toString('utf8').trim().split('\n').at(-1));
    return { killed, errors: report.errors, files: files.size, ...examine({ bin, options, home, files }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function homeIn(folder, workspace) {
  const at = (name) => path.join(folder, name);
  mkdirSync(at('tmp'));
  return {
    HOME: folder,
    TMPDIR: at('tmp'),
    XDG_CONFIG_HOME: at('config'),
    XDG_DATA_HOME: at('data'),
    XDG_STATE_HOME: at('state'),
    XDG_CACHE_HOME: at('cache'),
    KEBAB_WORKSPACE_ROOT: workspace,
  };
}

const databaseIn = (home) => path.join(home.XDG_DATA_HOME, 'kebab', 'kebab.sqlite');
/** A word that occurs in only one file. */
const markOf = (index) =>
  `zq${String(index)
    .padStart(6, '0')
    .replace(/\d/g, (digit) => 'bcdfghjklm'[digit])}qz`;

function writeMarked(workspace, files) {
  let index = 0;
  for (const [name, text] of files) {
    const file = path.join(workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n\nThis file is ${markOf(index++)}.\n`);
  }
}

function changeSome(workspace, files, seed) {
  let index = 0;
  for (const [name, text] of files) {
    if (index % 3 === seed % 3)
      writeFileSync(path.join(workspace, name), `Change ${seed}.\n\n${text}\n\nThis file is ${markOf(index)}.\n`);
    index++;
  }
}

/** The duration of a complete run in milliseconds; its database is removed again. */
function timeOfWholeRun(bin, options, home) {
  const started = performance.now();
  execFileSync(process.execPath, [bin, 'ingest', '--quiet'], { ...options, stdio: 'ignore' });
  const took = performance.now() - started;
  rmSync(path.dirname(databaseIn(home)), { recursive: true, force: true });
  return took;
}

/** Counts the killed ingests: one that ends before its kill does not count, and the next kill comes earlier. */
async function killOften({ bin, options, kills, longestMs, workspace, files }) {
  let killed = 0;
  for (let attempt = 0, limitMs = longestMs; killed < kills && attempt < 5 * kills; attempt++) {
    if (attempt > 0) changeSome(workspace, files, attempt);
    if (await killedAfter(Math.random() * limitMs, bin, options)) killed++;
    else limitMs = Math.max(100, limitMs * 0.8);
  }
  return killed;
}

async function killedAfter(afterMs, bin, options) {
  const child = spawn(process.execPath, [bin, 'ingest', '--quiet'], { ...options, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal === 'SIGKILL')));
  await Promise.race([delay(afterMs), ended]);
  child.kill('SIGKILL');
  return ended;
}

function examine({ bin, options, home, files }) {
  const db = new Sqlite(databaseIn(home), { readonly: true });
  const one = (sql) => db.prepare(sql).pluck().get();
  try {
    return {
      integrity: one('PRAGMA integrity_check'),
      foreignKeys: db.pragma('foreign_key_check').length,
      documents: one('SELECT count(*) FROM documents'),
      paths: one('SELECT count(DISTINCT source_id || char(0) || workspace_path) FROM documents'),
      chunks: one('SELECT count(*) FROM chunks'),
      chunkCounts: one('SELECT total(chunk_count) FROM documents'),
      fullTextRows: one('SELECT count(*) FROM chunks_fts'),
      chunksWithoutFullText: one('SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT rowid FROM chunks_fts)'),
      twins: one('SELECT count(*) FROM (SELECT 1 FROM chunks GROUP BY doc_seq, ordinal HAVING count(*) > 1)'),
      vectors: vectorsIn(one),
      ...search({ bin, options, files }),
    };
  } finally {
    db.close();
  }
}

/** The number of vectors: in the ledger, and in the store inside the database. */
function vectorsIn(one) {
  const count = (status) => one(`SELECT count(*) FROM embedding_records WHERE status = '${status}'`);
  const isThere = one("SELECT count(*) FROM sqlite_schema WHERE name = 'vector_slots'") > 0;
  return {
    committed: count('committed'),
    pending: count('pending'),
    tombstones: count('tombstone'),
    stored: isThere ? one('SELECT count(*) FROM vector_slots') : 0,
    documentsWithout: one('SELECT count(*) FROM documents WHERE embedding_fingerprint IS NULL'),
  };
}

function search({ bin, options, files }) {
  const names = [...files.keys()];
  let found = 0;
  const missing = [];
  for (let from = 0; from < names.length; from += BULK) {
    const part = names.slice(from, from + BULK);
    const input = part.map((_, i) => `${JSON.stringify({ query: markOf(from + i), mode: 'lexical' })}\n`).join('');
    const out = execFileSync(process.execPath, [bin, 'search', '--bulk', '--json'], {
      ...options,
      input,
      maxBuffer: 1e9,
    });
    const items = out
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const [i, { response }] of items.entries()) {
      const paths = response?.hits.map((hit) => hit.doc_path) ?? [];
      if (paths.length === 1 && paths[0] === part[i]) found++;
      else missing.push(part[i]);
    }
  }
  return { searchable: found, missing };
}

/** Markdown of a few sections a file. */
export function madeUp(count) {
  return new Map(Array.from({ length: count }, (_, file) => [`folder-${file % 7}/file-${file}.md`, madeUpText(file)]));
}

function madeUpText(file) {
  return `# File ${file}\n\n${[1, 2, 3, 4].map((number) => section(file, number)).join('\n')}`;
}

function section(file, number) {
  const sentences = `file ${file} tells about subject ${number * file}. `.repeat(40);
  return `## Part ${number}\n\n${sentences}\n\n- a list\n`;
}

/** Whether every chunk has exactly one vector, and there are no others. */
export function isEmbeddedWhole({ chunks, vectors }) {
  const { committed, pending, tombstones, stored, documentsWithout } = vectors;
  return committed === chunks && stored === chunks && pending + tombstones + documentsWithout === 0;
}

/** Whether everything exists exactly once. */
export function isWhole(result) {
  const { integrity, foreignKeys, files, documents, paths, chunks, fullTextRows, searchable } = result;
  const isSound = integrity === 'ok' && foreignKeys === 0 && result.errors === 0;
  const isComplete = documents === files && paths === files && searchable === files;
  return isSound && isComplete && chunks === result.chunkCounts && fullTextRows === chunks && result.twins === 0;
}
