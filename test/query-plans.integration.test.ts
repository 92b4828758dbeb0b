import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '@kebab/core/app';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const DOCUMENTS = 200;
/** A statement that runs this often in an ingest runs once per document or once per few documents. */
const OFTEN = DOCUMENTS / 10;
const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));

/**
 * Tables and subqueries whose row counts do not grow with the documents, list parameters, and
 * full-text queries and ranges of its words, which SQLite reports as scans.
 */
const SMALL =
  /^SCAN (?:CONSTANT ROW|\(|json_each|sqlite_\w+|indexed_roots|quarantined_files|vector_segments|sources|(?:un)?settled$|temp\.query_terms|[a-z] VIRTUAL TABLE INDEX 1:$|temp\.chunks_vocab VIRTUAL TABLE INDEX 1539:$|documents USING COVERING INDEX idx_docs_code|.*VIRTUAL TABLE INDEX \d+:\S*M)/;

/** All vectors in one state: effectively a full scan. */
const ALL_VECTORS = /idx_embed_status \(status=\?(?: AND collection=\?)?\)/;

type Run = (this: Sqlite.Statement, ...given: unknown[]) => unknown;
const METHODS = ['run', 'get', 'all', 'iterate'] as const;
type Methods = Record<(typeof METHODS)[number], Run>;

/** The run count and query plan of each statement. */
interface Recorded {
  readonly plan: readonly string[];
  count: number;
}

const recorded = new Map<string, Recorded>();
let restore = (): void => {};

/** Starts to record every statement of this thread. */
function record(): void {
  const db = new Sqlite(':memory:');
  const statements = Object.getPrototypeOf(db.prepare('SELECT 1')) as Methods;
  db.close();
  const originals = Object.fromEntries(METHODS.map((name) => [name, statements[name]])) as Methods;
  for (const name of METHODS)
    statements[name] = function recordedCall(...given) {
      const known = recorded.get(this.source);
      if (known !== undefined) known.count++;
      else if (/^\s*(?:select|insert|update|delete|with|replace)\b/i.test(this.source)) {
        const explain = this.database.prepare(`EXPLAIN QUERY PLAN ${this.source}`);
        const rows = originals.all.apply(explain, given) as readonly { readonly detail: string }[];
        recorded.set(this.source, { plan: rows.map(({ detail }) => detail), count: 1 });
      }
      return originals[name].apply(this, given);
    };
  restore = () => void Object.assign(statements, originals);
}

/** The statements that ran at least `often` times and scanned a whole table or index, each with its plan. */
function scans(often = 1): readonly string[] {
  return [...recorded]
    .filter(
      ([, { plan, count }]) =>
        count >= often && plan.some((step) => (step.startsWith('SCAN') && !SMALL.test(step)) || ALL_VECTORS.test(step)),
    )
    .map(([sql, { plan, count }]) => `${count} times ${sql.replaceAll(/\s+/g, ' ')}: ${plan.join('; ')}`);
}

const isMissing = !existsSync(MODEL);
const home = new UserHome();
let app: App;

const inFolder = (...names: readonly string[]): string => path.join(home.notes, ...names);
const note = (i: number): string => `part-${i % 10}/note-${i}.md`;

beforeAll(async () => {
  for (let i = 0; i < DOCUMENTS; i++)
    home.put({ [note(i)]: `# Note ${i}\n\nabout sourdough number ${i}\n\n## More\n\nsalt and water\n` });
  record();
  const model = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: MODEL };
  app = await home.open({ KEBAB_SEARCH_REFRESH_AFTER_MS: '0', ...(isMissing ? {} : model) });
});

beforeEach(() => recorded.clear());

afterAll(async () => {
  restore();
  await home.remove();
});

describe('SQLite never scans a whole growing table', () => {
  it('for each document of a first ingest, whose statements are all recorded', async () => {
    const report = await app.ingest();
    expect(report.new).toBe(DOCUMENTS);
    expect([...recorded.values()].filter(({ count }) => count >= OFTEN).length).toBeGreaterThan(3);
    expect(scans(OFTEN)).toEqual([]);
  });

  it('for each document of an ingest after edits, renames and removals', async () => {
    for (let i = 0; i < DOCUMENTS; i += 10) writeFileSync(inFolder(note(i)), `# Note ${i}\n\nmarmalade ${i}\n`);
    renameSync(inFolder('part-4'), inFolder('part-x'));
    for (const part of ['part-5', 'part-6', 'part-7']) rmSync(inFolder(part), { recursive: true });
    await app.ingest({ allowMassDelete: true });
    expect(scans(OFTEN)).toEqual([]);
  });

  it('for the first search by words of a process, and one below a folder', async () => {
    const other = await home.open({ KEBAB_SEARCH_REFRESH: 'off' });
    const { hits } = await other.search({ text: 'what is sourdough water', mode: 'lexical' });
    expect(hits.length).toBeGreaterThan(0);
    const below = await other.search({ text: 'salt', mode: 'lexical', filters: { pathGlob: ['part-3/**'] } });
    expect(below.hits.length).toBeGreaterThan(0);
    await home.close(other);
    expect(scans()).toEqual([]);
  });

  it.skipIf(isMissing)('for a search by words and meaning (skipped without the model)', async () => {
    const { hits } = await app.search({ text: 'what is sourdough water', mode: 'hybrid' });
    expect(hits.length).toBeGreaterThan(0);
    // Few vectors are uncommitted.
    expect(scans().filter((scan) => !/unlikely\("status" in/.test(scan))).toEqual([]);
  });

  it('to fetch and verify a citation', async () => {
    const uri = `${note(3)}#L1-L3`;
    expect(JSON.stringify(await app.fetch({ kind: 'uri', uri }))).toContain('Note 3');
    expect(await app.verifyCitation(uri)).toMatchObject({ status: 'exact' });
    expect(scans()).toEqual([]);
  });
});
