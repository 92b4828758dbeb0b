// What a first ingest of 5,000 Markdown files costs outside kebab's own code, in CPU time and as a ratio to reading the files and
// inserting their bodies into one FTS5 table, compared with the whole ingest. Each part runs in a process of its own:
// - parse: reads, decodes and parses the files, and keeps nothing;
// - rows: inserts the rows that the ingest wrote, in the same order and transactions, from values in memory. Only the inserts are
//   measured, and the full text lacks the parts of identifiers, so the sum is a lower bound.
//   node bench/ingest-floor.mjs [runs] [folder]
// Without a folder it unpacks ../shared/data/md5k/md5k.tar.gz.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';
import { markdownCorpus } from './lib/markdown-corpus.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const libraryOf = (plugin) => createRequire(path.join(root, 'plugins', plugin, 'package.json'));

/** Chunks per transaction, as in an ingest. */
const GROUP_CHUNKS = 2000;
const TABLES = ['assets', 'documents', 'document_texts', 'document_tags', 'document_blocks', 'chunks'];
const PARTS = { baseline, parse, rows };

if (process.argv[2] === '--part') {
  const [part, ...places] = process.argv.slice(3);
  console.log(await PARTS[part](...places));
} else await compare(Number(process.argv[2] ?? 3), process.argv[3]);

async function compare(runs, given) {
  const home = mkdtempSync(path.join(tmpdir(), 'kebab-floor-'));
  try {
    const folder = markdownCorpus(home, given);
    await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
    const best = {};
    const keep = (name, ms) => (best[name] = Math.min(best[name] ?? Infinity, ms));
    for (let run = 0; run < runs; run++) {
      rmSync(path.join(home, '.local'), { recursive: true, force: true });
      keep('ingest', ingestCpuMs(home, folder));
      for (const part of Object.keys(PARTS)) keep(part, partCpuMs(part, home, folder));
    }
    best['parse + rows'] = best.parse + best.rows;
    console.log(`Node ${process.version}, CPU, best of ${runs}`);
    for (const [name, ms] of Object.entries(best))
      console.log(`${name.padEnd(14)} ${ms.toFixed(0).padStart(6)} ms = ${(ms / best.baseline).toFixed(2)}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The CPU time of an ingest into a fresh home, over all its threads. */
function ingestCpuMs(home, folder) {
  const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
  const timed = ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null', 'bash', process.execPath, cli];
  const env = { PATH: process.env.PATH, HOME: home, KEBAB_WORKSPACE_ROOT: folder, KEBAB_SERVICE: 'off' };
  const options = { env, cwd: home, encoding: 'utf8' };
  const { status, stderr } = spawnSync('bash', [...timed, 'ingest', '--quiet', '--summary-only'], options);
  if (status !== 0) throw new Error(stderr);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

function partCpuMs(part, home, folder) {
  const written = path.join(home, 'part.sqlite');
  for (const end of ['', '-wal', '-shm']) rmSync(written + end, { force: true });
  const database = path.join(home, '.local', 'share', 'kebab', 'kebab.sqlite');
  const args = [fileURLToPath(import.meta.url), '--part', part, folder, written, database];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

function baseline(folder, written) {
  const before = process.cpuUsage();
  const db = new (libraryOf('store-sqlite')('better-sqlite3'))(written);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE VIRTUAL TABLE bodies USING fts5(body)');
  const insert = db.prepare('INSERT INTO bodies VALUES (?)');
  db.exec('BEGIN');
  for (const file of markdownFiles(folder)) insert.run(readFileSync(file, 'utf8'));
  db.exec('COMMIT');
  db.close();
  return cpuMs(before);
}

async function parse(folder) {
  const before = process.cpuUsage();
  const satteri = await import(pathToFileURL(libraryOf('md').resolve('satteri')).href);
  for (const file of markdownFiles(folder)) {
    const handle = satteri.createMdastHandle(readFileSync(file, 'utf8'), { frontmatter: false }, true);
    satteri.serializeHandle(handle);
    satteri.dropHandle(handle);
  }
  return cpuMs(before);
}

function rows(folder, written, database) {
  const Database = libraryOf('store-sqlite')('better-sqlite3');
  const old = new Database(database, { readonly: true });
  const all = (sql) => old.prepare(sql).raw().all();
  const columnsOf = (table) => old.pragma(`table_info(${table})`).map(({ name }) => name);
  const stored = Object.fromEntries(TABLES.map((table) => [table, all(`SELECT ${columnsOf(table)} FROM ${table}`)]));
  const fullText = fullTextOf(stored, all);
  const db = new Database(written);
  for (const pragma of ['page_size = 8192', 'auto_vacuum = INCREMENTAL', 'journal_mode = WAL', 'synchronous = NORMAL'])
    db.pragma(pragma);
  const made = "sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'chunks_fts_%'";
  for (const [sql] of all(`SELECT sql FROM sqlite_master WHERE ${made}`)) db.exec(sql);
  db.exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', 0)");
  const inserting = (table, columns) =>
    db.prepare(`INSERT INTO ${table}(${columns}) VALUES (${columns.map(() => '?')})`);
  const insert = Object.fromEntries(TABLES.map((table) => [table, inserting(table, columnsOf(table))]));
  const insertFullText = inserting('chunks_fts', ['rowid', 'text', 'heading', 'symbol', 'cjk']);
  const next = Object.fromEntries(TABLES.map((table) => [table, 0]));
  const before = process.cpuUsage();
  while (next.documents < stored.documents.length) {
    const first = next.chunks;
    db.exec('BEGIN');
    while (next.documents < stored.documents.length && next.chunks - first < GROUP_CHUNKS) {
      if (next.assets < stored.assets.length) insert.assets.run(...stored.assets[next.assets++]);
      const document = stored.documents[next.documents++];
      insert.documents.run(...document);
      for (const [table, key] of Object.entries({ document_texts: 0, document_tags: 0, document_blocks: 0, chunks: 2 }))
        while (stored[table][next[table]]?.[key] === document[0]) insert[table].run(...stored[table][next[table]++]);
    }
    for (let chunk = first; chunk < next.chunks; chunk++) insertFullText.run(...fullText[chunk]);
    db.exec('COMMIT');
  }
  db.close();
  return cpuMs(before);
}

/** The full-text row of each chunk: its text and its headings. */
function fullTextOf(stored, all) {
  const texts = new Map();
  for (const [document, , text] of stored.document_texts) texts.set(document, (texts.get(document) ?? '') + text);
  const chunks = all(
    `SELECT c.seq, c.doc_seq, c.text_start, c.text_end, c.heading_path_json, d.title
      FROM chunks c JOIN documents d ON d.seq = c.doc_seq ORDER BY c.seq`,
  );
  return chunks.map(([seq, document, start, end, headings, title]) => {
    const heading = JSON.parse(headings)
      .map((part) => part || title)
      .join('\n');
    return [seq, texts.get(document).slice(start, end), heading, '', ''];
  });
}

function markdownFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));
}

/** The CPU time of all threads of this process since a reading of `process.cpuUsage()`. */
function cpuMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
