import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import type { BuiltCli, CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import { problemOfRun, watched, type WatchedRun } from '../harness/watched-process.ts';
import { LEXICAL } from '../inputs/knowledge-base.ts';

/** One injected fault: the operation that is counted, which occurrence fails, and how. */
export interface Fault {
  readonly layer: 'sqlite' | 'commit' | 'write' | 'read' | 'clock';
  readonly nth: number;
  readonly action: 'kill-before' | 'kill-after' | 'throw' | 'throw-on' | 'swap' | 'pages';
  /** The error code, or the milliseconds that the clock jumps by. */
  readonly code?: string;
  readonly swap?: string;
}

/** How often a whole run performs each operation that can fail. */
export type FaultCounts = Readonly<Record<Fault['layer'], number>>;

const LAYER = fileURLToPath(new URL('fault-layer.cjs', import.meta.url));
const INGEST = ['ingest', '--json', '--quiet'];

/** A home that is restored before every fault, and the expected result of a run from there. */
export class FaultHome {
  readonly home: CliHome;
  readonly #cli: BuiltCli;
  readonly #kept: string;
  readonly #env: Readonly<Record<string, string>>;
  #expected = '';
  #counts: FaultCounts = { sqlite: 0, commit: 0, write: 0, read: 0, clock: 0 };

  private constructor(cli: BuiltCli, env: Readonly<Record<string, string>>) {
    this.#cli = cli;
    this.#env = { ...LEXICAL, ...env };
    this.home = cli.newHome();
    this.#kept = `${this.home.folder}-kept`;
  }

  /** Ingests `before`, then puts `after` in place: the fault hits the run that ingests the difference. */
  static async prepare(
    cli: BuiltCli,
    {
      before,
      after,
      env = {},
    }: { readonly before: Files; readonly after: Files; readonly env?: Readonly<Record<string, string>> },
  ): Promise<FaultHome> {
    const made = new FaultHome(cli, env);
    made.#lay(before);
    if (Object.keys(before).length > 0) await made.#ingest();
    made.#lay(after);
    cpSync(made.home.folder, made.#kept, { recursive: true, preserveTimestamps: true });
    made.#expected = await made.#cleanIndex(after);
    const file = path.join(made.home.folder, 'counts.json');
    await made.#ingest({ FAULT_COUNT: file, FAULT: JSON.stringify({ folder: made.home.folder }) });
    made.#counts = JSON.parse(readFileSync(file, 'utf8')) as FaultCounts;
    if (Object.values(made.#counts).includes(0))
      throw new Error(`something is not counted: ${JSON.stringify(made.#counts)}`);
    return made;
  }

  get counts(): FaultCounts {
    return this.#counts;
  }

  /** Restores the home, injects the fault and checks the outcome; null when nothing is wrong. */
  async outcomeOf(fault: Fault, { isFinal = true }: { readonly isFinal?: boolean } = {}): Promise<string | null> {
    this.restore();
    const env = { FAULT: JSON.stringify({ folder: this.home.folder, ...fault }) };
    const run = await this.#run(env);
    const problem = run.signal === 'SIGKILL' && fault.action.startsWith('kill') ? null : problemOfRun(run);
    if (problem !== null || isFinal) return problem ?? this.recovered();
    return isNoDatabase(this.database) ? null : damageIn(this.database);
  }

  /** Checks that the database is intact, and that the next ingest gives the same result as a clean one. */
  async recovered(): Promise<string | null> {
    const damage = damageIn(this.database);
    if (damage !== null) return damage;
    if (!existsSync(this.home.workspace)) return 'the workspace is gone';
    const run = await watched(this.#cli.start(INGEST, { home: this.home, env: this.#env }), { deadlineMs: 30_000 });
    const problem =
      problemOfRun(run) ??
      (run.code === 0 ? null : `the next ingest ends with ${String(run.code)}: ${run.stdout.slice(-300)}`);
    if (problem !== null) return `the next ingest: ${problem}`;
    const later = damageIn(this.database);
    if (later !== null) return `after the next ingest: ${later}`;
    return indexIn(this.database) === this.#expected ? null : 'the next ingest does not lead to what a clean one would';
  }

  restore(): void {
    rmSync(this.home.folder, { recursive: true, force: true });
    cpSync(this.#kept, this.home.folder, { recursive: true, preserveTimestamps: true });
  }

  get database(): string {
    return path.join(this.home.folder, 'data', 'kebab', 'kebab.sqlite');
  }

  remove(): void {
    for (const folder of [this.home.folder, this.#kept]) rmSync(folder, { recursive: true, force: true });
  }

  #lay(files: Files): void {
    rmSync(this.home.workspace, { recursive: true, force: true });
    mkdirSync(this.home.workspace, { recursive: true });
    for (const [name, text] of Object.entries(files)) this.home.write(name, text);
  }

  #run(env: Readonly<Record<string, string>>): Promise<WatchedRun> {
    const options = { home: this.home, env: { ...this.#env, ...env }, nodeArgs: ['--require', LAYER] };
    return watched(this.#cli.start(INGEST, options), { deadlineMs: 30_000 });
  }

  async #ingest(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const run = await this.#run(env);
    if (run.code !== 0) throw new Error(`an ingest without a fault ends with ${String(run.code)}: ${run.stderr}`);
  }

  async #cleanIndex(files: Files): Promise<string> {
    const home = this.#cli.newHome();
    try {
      for (const [name, text] of Object.entries(files)) home.write(name, text);
      const run = await watched(this.#cli.start(INGEST, { home, env: this.#env }));
      if (run.code !== 0) throw new Error(`a clean ingest ends with ${String(run.code)}: ${run.stderr}`);
      return indexIn(path.join(home.folder, 'data', 'kebab', 'kebab.sqlite'));
    } finally {
      rmSync(home.folder, { recursive: true, force: true });
    }
  }
}

/** File texts by name. */
export type Files = Readonly<Record<string, string>>;

/** Whether the database file was replaced by something that is not a database; it stays as it is. */
function isNoDatabase(file: string): boolean {
  return isFile(file) && readFileSync(file)[0] === 0;
}

/** What is wrong with a database, or null when it is intact, has no dangling references, and has a full-text row for each chunk. */
function damageIn(file: string): string | null {
  if (!isFile(file)) return null;
  const db = new Sqlite(file, { readonly: true });
  try {
    const one = (sql: string): unknown => db.prepare(sql).pluck().get();
    if (one("SELECT count(*) FROM sqlite_schema WHERE name = 'chunks'") === 0) return null;
    const integrity = one('PRAGMA integrity_check');
    if (integrity !== 'ok') return `integrity_check: ${String(integrity)}`;
    const dangling = db.pragma('foreign_key_check') as readonly unknown[];
    if (dangling.length > 0) return `${dangling.length} rows refer to nothing`;
    const chunks = one('SELECT count(*) FROM chunks');
    const rows = one('SELECT count(*) FROM chunks_fts');
    if (chunks !== rows) return `${String(chunks)} chunks, ${String(rows)} rows of full text`;
    const counted = one('SELECT coalesce(sum(chunk_count), 0) FROM documents');
    if (chunks !== counted) return `${String(chunks)} chunks, of which documents know ${String(counted)}`;
    const lost = hasVectors(db) ? one(VECTORS_LOST) : 0;
    if (lost !== 0) return `${String(lost)} vectors are committed and not there`;
    return null;
  } finally {
    db.close();
  }
}

/** False where there is no file, or where a pipe took its place: opening it would block. */
function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}

/** Everything in a database that does not depend on the time and order of writing. */
function indexIn(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  try {
    const documents = db
      .prepare(
        `SELECT source_id, workspace_path, doc_id, title, lang, media, text_length, metadata_json,
           (SELECT group_concat(text, '') FROM document_texts WHERE doc_seq = d.seq ORDER BY start) AS text
         FROM documents d ORDER BY source_id, workspace_path`,
      )
      .all();
    const chunks = db
      .prepare(
        `SELECT d.workspace_path, ordinal, chunk_id, text_start, text_end, heading_path_json, source_spans_json
         FROM chunks JOIN documents d ON d.seq = doc_seq ORDER BY d.workspace_path, ordinal`,
      )
      .all();
    const vectors = hasVectors(db) ? db.prepare(VECTORS).all() : [];
    return JSON.stringify([documents, chunks, vectors]);
  } finally {
    db.close();
  }
}

function hasVectors(db: Sqlite.Database): boolean {
  return db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'vector_slots'").pluck().get() === 1;
}

/** Vectors that the ledger lists and that are missing. */
const VECTORS_LOST = `SELECT count(*) FROM embedding_records r WHERE status = 'committed'
  AND NOT EXISTS (SELECT 1 FROM vector_slots s WHERE lower(hex(s.embedding_id)) = r.embedding_id)`;

/** The entries of the ledger with their vectors. */
const VECTORS = `SELECT r.chunk_id, r.status, hex(v.vector) AS vector FROM embedding_records r
  LEFT JOIN vector_slots s ON lower(hex(s.embedding_id)) = r.embedding_id LEFT JOIN vector_rows v ON v.slot = s.slot
  ORDER BY r.chunk_id`;
