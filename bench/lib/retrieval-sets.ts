import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentIdOf, readJudgedSet, writeAsMarkdown } from './judged-set.ts';
import { makeKnownItems, writeCode, type CodeFolder, type KnownItemCase } from './known-items.ts';
import { sharedData } from './shared-data.ts';

/** The parts of a hit needed for scoring; lines are 1-based, inclusive, null for hits without lines. */
export interface ScoredHit {
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** A query with what answers it. */
export interface RetrievalCase {
  readonly text: string;
  /** By the key that {@link RetrievalCase.keyOf} returns for a hit; higher is better. */
  readonly grades: ReadonlyMap<string, number>;
  /** The key by which a hit is judged. */
  readonly keyOf: (hit: ScoredHit) => string;
}

/** A corpus to index and queries whose answers are known. */
export interface RetrievalSet {
  readonly name: string;
  /** nDCG@10 of the reference BM25: plain, and its best variant; null if there is none. */
  readonly reference: { readonly plain: number; readonly best: number } | null;
  readonly write: (folder: string) => Promise<void>;
  readonly cases: readonly RetrievalCase[];
}

/** nDCG@10 of the reference BM25 of each set: plain, and its best variant (stop words and Porter, bigrams, code tokens). */
const JUDGED: Readonly<Record<string, { readonly plain: number; readonly best: number }>> = {
  cranfield: { plain: 0.317, best: 0.342 },
  cacm: { plain: 0.417, best: 0.475 },
  squad2: { plain: 0.821, best: 0.838 },
  'ko-autorag': { plain: 0.813, best: 0.929 },
  'cosqa-dev': { plain: 0.34, best: 0.359 },
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const under = (...folders: readonly string[]): readonly CodeFolder[] =>
  folders.map((folder) => ({ folder: path.join(root, folder), as: folder }));
const packages = (of: Readonly<Record<string, string>>): readonly CodeFolder[] =>
  Object.entries(of).map(([as, folder]) => ({ folder: path.join(root, 'node_modules', folder), as }));

/** Code whose documentation provides the questions: this repository, and packages under permissive licences. */
const CODE: Readonly<Record<string, readonly CodeFolder[]>> = {
  'own-code': under('core/src', 'core/test', 'kits', 'plugins', 'host-cli', 'host-mcp'),
  'npm-code': packages({
    kysely: 'kysely/dist/esm',
    undici: 'undici/lib',
    yaml: 'yaml/dist',
    hono: 'hono/dist',
    'mcp-sdk': '@modelcontextprotocol/sdk/dist/esm',
    zod: 'zod/src',
  }),
};
const CASES_A_KIND = 300;

/** All sets, or the named ones; judged sets without data are skipped with a message. */
export function* retrievalSets(wanted: readonly string[]): Generator<RetrievalSet, void, undefined> {
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  for (const [name, reference] of Object.entries(JUDGED)) {
    const folder = isWanted(name) ? sharedData(name) : null;
    if (folder === null) continue;
    const set = readJudgedSet(folder);
    const keyOf = (hit: ScoredHit): string => documentIdOf(hit.path);
    const cases = set.queries.map(({ text, grades }) => ({ text, grades, keyOf }));
    yield { name, reference, write: (to) => writeAsMarkdown(set, to), cases };
  }
  for (const [name, folders] of Object.entries(CODE)) {
    if (!isWanted(name)) continue;
    const present = folders.filter(({ folder }) => existsSync(folder));
    const set = makeKnownItems(present, CASES_A_KIND);
    const write = (to: string): Promise<void> => writeCode(set, to);
    yield { name: `${name}/docs`, reference: null, write, cases: set.sentences.map(toCase) };
    yield { name: `${name}/names`, reference: null, write, cases: set.names.map(toCase) };
  }
}

/** A case is solved by a hit that contains the first line of the declaration. */
function toCase({ text, item }: KnownItemCase): RetrievalCase {
  const keyOf = ({ path: file, startLine, endLine }: ScoredHit): string => {
    const holds = file === item.path && (startLine ?? 0) <= item.startLine && (endLine ?? 0) >= item.startLine;
    return holds ? 'item' : `${file}#${startLine}`;
  };
  return { text, grades: new Map([['item', 1]]), keyOf };
}
