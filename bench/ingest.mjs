// Measures an ingest of 5,000 Markdown files, as ratios to plain programs, alternating in the same run:
// - the first ingest against reading the files and inserting their bodies into one FTS5 table in one transaction (CPU and wall time),
// - the database against the size of the text,
// - the second ingest, without changes, against a bare recursive stat of the same folder (CPU).
//   node bench/ingest.mjs [runs] [folder]
// Without a folder it unpacks ../shared/data/md5k/md5k.tar.gz.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';
import { markdownCorpus } from './lib/markdown-corpus.mjs';

const TARGETS = { first: 6, wall: 3.5, database: 2.4, second: 3, rssMb: 250 };
const runs = Number(process.argv[2] ?? 3);
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-ingest-'));

const FTS5 = `
  const { readFileSync, readdirSync } = require('node:fs');
  const Database = require('better-sqlite3');
  const [folder, file] = process.argv.slice(1);
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE VIRTUAL TABLE bodies USING fts5(body)');
  const insert = db.prepare('INSERT INTO bodies VALUES (?)');
  db.exec('BEGIN');
  for (const { name, parentPath, path } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (name.endsWith('.md')) insert.run(readFileSync((parentPath ?? path) + '/' + name, 'utf8'));
  db.exec('COMMIT');
  db.close();`;
const STAT = `
  const { readdirSync, statSync } = require('node:fs');
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = folder + '/' + entry.name;
      if (entry.isDirectory()) walk(path);
      else statSync(path);
    }
  };
  walk(process.argv[1]);`;

/** Milliseconds and peak memory of one process; bash measures the time, the kernel reports the memory. */
async function measure(args, env = {}) {
  const timed = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S %3R"; time "$@" > "$OUTPUT"', 'bash', process.execPath, ...args],
    {
      cwd: path.join(root, 'plugins', 'store-sqlite'), // better-sqlite3 is resolved from here
      env: { ...process.env, ...env, OUTPUT: path.join(home, 'output') },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  timed.stderr.on('data', (data) => (errors += data));
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOfChildren(timed.pid))), 20);
  const status = await new Promise((resolve) => timed.once('close', resolve));
  clearInterval(watch);
  const [user, system, real] = errors.trim().split('\n').at(-1).split(' ').map(Number);
  if (status !== 0 || Number.isNaN(user + system + real)) throw new Error(`${args[0]} failed: ${errors}`);
  return { cpuMs: (user + system) * 1000, wallMs: real * 1000, peakMb };
}

/** The peak memory of a process's children; 0 if the system does not report it. */
function peakOfChildren(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Math.max(
      0,
      ...children.map(
        (child) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      ),
    );
  } catch {
    return 0;
  }
}

function sizesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.name.endsWith('.md'),
  );
  const sizes = files.map(({ name, parentPath, path: parent }) => statSync(path.join(parentPath ?? parent, name)).size);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const ms = (value) => `${value.toFixed(0)} ms`;
const mb = (value) => `${(value / 1e6).toFixed(1)} MB`;

function judge(name, { measured, base, ratio, target }) {
  const verdict = ratio <= target ? 'ok' : 'over';
  console.log(
    `${name.padEnd(46)} ${measured.padStart(10)} / ${base.padStart(10)} = ${ratio.toFixed(2)} (at most ${target}): ${verdict}`,
  );
  if (ratio > target) process.exitCode = 1;
}

try {
  await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
  const folder = markdownCorpus(home, process.argv[3]);
  const { files, bytes } = sizesOf(folder);
  const best = {
    first: Infinity,
    firstWall: Infinity,
    second: Infinity,
    fts5: Infinity,
    fts5Wall: Infinity,
    stat: Infinity,
    peakMb: Infinity,
  };
  let database = 0;
  for (let run = 0; run < runs; run++) {
    const data = path.join(home, `run-${run}`);
    mkdirSync(data);
    const env = {
      HOME: data,
      XDG_CONFIG_HOME: '',
      XDG_DATA_HOME: '',
      XDG_STATE_HOME: '',
      XDG_CACHE_HOME: '',
      KEBAB_WORKSPACE_ROOT: folder,
    };
    const ingest = [cli, 'ingest', '--summary-only', '--quiet'];
    const fts5 = await measure(['-e', FTS5, folder, path.join(data, 'fts5.sqlite')]);
    best.fts5 = Math.min(best.fts5, fts5.cpuMs);
    best.fts5Wall = Math.min(best.fts5Wall, fts5.wallMs);
    const first = await measure(ingest, env);
    best.first = Math.min(best.first, first.cpuMs);
    best.firstWall = Math.min(best.firstWall, first.wallMs);
    best.peakMb = Math.min(best.peakMb, first.peakMb);
    database = statSync(path.join(data, '.local', 'share', 'kebab', 'kebab.sqlite')).size;
    for (let again = 0; again < 3; again++) {
      best.stat = Math.min(best.stat, (await measure(['-e', STAT, folder])).cpuMs);
      best.second = Math.min(best.second, (await measure(ingest, env)).cpuMs);
    }
    rmSync(data, { recursive: true, force: true });
  }
  console.log(`Node ${process.version}, ${files} files, ${mb(bytes)}, best of ${runs}`);
  judge('first ingest / read and insert into FTS5', {
    measured: ms(best.first),
    base: ms(best.fts5),
    ratio: best.first / best.fts5,
    target: TARGETS.first,
  });
  judge('first ingest / the same, wall time', {
    measured: ms(best.firstWall),
    base: ms(best.fts5Wall),
    ratio: best.firstWall / best.fts5Wall,
    target: TARGETS.wall,
  });
  judge('database / text', {
    measured: mb(database),
    base: mb(bytes),
    ratio: database / bytes,
    target: TARGETS.database,
  });
  judge('second ingest / recursive stat', {
    measured: ms(best.second),
    base: ms(best.stat),
    ratio: best.second / best.stat,
    target: TARGETS.second,
  });
  if (best.peakMb > 0)
    judge('peak memory of the first ingest', {
      measured: `${best.peakMb.toFixed(0)} MiB`,
      base: `${TARGETS.rssMb} MiB`,
      ratio: best.peakMb / TARGETS.rssMb,
      target: 1,
    });
} finally {
  rmSync(home, { recursive: true, force: true });
}
