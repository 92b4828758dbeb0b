// Ingests every judged corpus twice and compares the databases row by row: once normally, and once through the path of third-party plugins,
// where extractors and chunkers run in separate processes and return documents as defined by the contracts.
//   npm run compare:ingest [-- corpus ...]
// Prints how many rows were compared and how many differ; fails if any differ. The order of rows matters, times of the run do not.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { readJudgedSet, writeAsMarkdown } from './lib/judged-set.ts';
import { sharedData } from './lib/shared-data.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');

/** The tables that an ingest fills; full-text tables as postings, regardless of how many documents were written at once. */
const TABLES = ['assets', 'documents', 'document_texts', 'document_blocks', 'document_tags', 'chunks'];
const FULL_TEXT = 'full_text';
/** Columns that depend on the time, the plugin or the run. */
const OF_THE_RUN = new Set(['committed_at', 'indexed_at', 'discovered_at', 'provenance_json']);

/** The plugins that process the files of the corpora. */
const PLUGINS = ['md', 'plain-text', 'code-python'];

/** Writes the files of a corpus in `../shared/data` into a folder. */
type Write = (data: string, folder: string) => Promise<void>;

const judged: Write = (data, folder) => writeAsMarkdown(readJudgedSet(data), folder);
const CORPORA: Readonly<Record<string, Write>> = {
  cacm: judged,
  cranfield: judged,
  squad2: judged,
  'ko-autorag': judged,
  'cosqa-dev': async (data, folder) => {
    await judged(data, folder);
    for (const { id, text } of readJudgedSet(data).documents)
      writeFileSync(path.join(folder, `${encodeURIComponent(id)}.py`), text);
  },
  commonmark: async (data, folder) => {
    cpSync(path.join(data, 'spec.txt'), path.join(folder, 'spec.txt'));
    cpSync(path.join(data, 'spec.txt'), path.join(folder, 'spec.md'));
    const examples = JSON.parse(readFileSync(path.join(data, 'spec.json'), 'utf8')) as readonly Example[];
    for (const { example, markdown } of examples) writeFileSync(path.join(folder, `${example}.md`), markdown);
  },
  frontmatter: async (data, folder) => {
    const texts = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'));
    for (const name of texts) cpSync(path.join(data, name), path.join(folder, name.replace(/\.txt$/, '.md')));
  },
  md5k: async (data, folder) => {
    const { status } = spawnSync('tar', ['-xzf', path.join(data, 'md5k.tar.gz'), '-C', folder]);
    if (status !== 0) throw new Error('cannot unpack md5k');
  },
};

interface Example {
  readonly example: number;
  readonly markdown: string;
}

/** Copies a built-in plugin under another name, so that it is treated as third-party; returns the folder of its package. */
function thirdParty(name: string, folder: string): string {
  const own = path.join(root, 'plugins', name);
  const { kebab } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8')) as { readonly kebab: object };
  const packageJson = { name: `third-party-${name}`, version: '0.1.0', type: 'module', exports: './index.mjs', kebab };
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(packageJson));
  const module = pathToFileURL(path.join(own, 'dist', 'index.js')).href;
  writeFileSync(path.join(place, 'index.mjs'), `export { default } from '${module}';\n`);
  return place;
}

/** Ingests a folder into a fresh home, and returns the database. */
function ingested(corpus: string, home: string, plugins: readonly string[]): string {
  mkdirSync(home);
  const flags = plugins.flatMap((plugin) => ['--plugin', plugin]);
  const none = { XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '' };
  const off = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_SERVICE: 'off' };
  const env = { ...process.env, ...none, ...off, HOME: home, KEBAB_WORKSPACE_ROOT: corpus };
  const run = spawnSync(process.execPath, [cli, 'ingest', '--summary-only', '--quiet', ...flags], { env });
  if (run.status !== 0) throw new Error(`${corpus} was not ingested: ${run.stderr.toString()}`);
  return path.join(home, '.local', 'share', 'kebab', 'kebab.sqlite');
}

/** The number of rows of a table, and of those that differ. */
interface Comparison {
  readonly rows: number;
  readonly different: number;
}

function compared(table: string, one: Database.Database, other: Database.Database): Comparison {
  const columns = (one.pragma(`table_info(${table})`) as readonly { readonly name: string }[])
    .map(({ name }) => name)
    .filter((name) => !OF_THE_RUN.has(name));
  const rowsOf = (db: Database.Database): IterableIterator<unknown> =>
    db.prepare(`SELECT ${columns.join()} FROM ${table}`).raw().iterate();
  const others = rowsOf(other);
  let rows = 0;
  let different = 0;
  for (const row of rowsOf(one)) {
    rows++;
    const next = others.next();
    if (next.done === true || !isEqual(row, next.value)) different++;
  }
  for (let next = others.next(); next.done !== true; next = others.next()) different++;
  return { rows, different };
}

function isEqual(one: unknown, other: unknown): boolean {
  const [a, b] = [one as readonly unknown[], other as readonly unknown[]];
  return a.every((value, i) => value === b[i] || (Buffer.isBuffer(value) && value.equals(b[i] as Buffer)));
}

function opened(file: string): Database.Database {
  const db = new Database(file);
  db.exec(`CREATE VIRTUAL TABLE temp.${FULL_TEXT} USING fts5vocab('main', 'chunks_fts', 'instance')`);
  return db;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(CORPORA, name));
if (unknown.length > 0)
  throw new Error(`there is no corpus ${unknown.join()}; there is ${Object.keys(CORPORA).join()}`);
const work = mkdtempSync(path.join(tmpdir(), 'kebab-compare-'));
try {
  const plugins = PLUGINS.map((name) => thirdParty(name, path.join(work, 'plugins')));
  for (const [name, write] of Object.entries(CORPORA)) {
    const data = wanted.length > 0 && !wanted.includes(name) ? null : sharedData(name);
    if (data === null) continue;
    const corpus = path.join(work, name);
    mkdirSync(corpus);
    await write(data, corpus);
    const one = opened(ingested(corpus, path.join(work, `${name}-ours`), []));
    const other = opened(ingested(corpus, path.join(work, `${name}-third-party`), plugins));
    const counts = [...TABLES, FULL_TEXT].map((table) => ({ table, ...compared(table, one, other) }));
    const different = counts.filter((count) => count.different > 0);
    const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const rows = (count: (typeof counts)[number]): string => `${count.table} ${count.rows}`;
    console.log(
      `${name}: ${files.length} files; ${counts.map(rows).join(', ')}; ${different.length === 0 ? 'equal' : ''}`,
    );
    for (const { table, ...count } of different)
      console.log(`  ${table}: ${count.different} of ${count.rows} rows differ`);
    if (different.length > 0) process.exitCode = 1;
    for (const db of [one, other]) db.close();
    for (const place of [corpus, `${corpus}-ours`, `${corpus}-third-party`])
      if (existsSync(place)) rmSync(place, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
