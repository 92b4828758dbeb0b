import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { blake3Short } from '../domain/blake3.ts';
import { canonicalJson, type JsonValue } from '../domain/json.ts';
import type { SearchFilters } from '../domain/query.ts';

/**
 * A stage that contributed to a list. If the stage can be replaced by another one, a cursor names it with a hash of everything its ranking
 * depends on; that of a plugin's retriever is always included.
 */
export type Stage =
  | 'lexical'
  | 'vector'
  | 'rerank'
  | `vector@${string}`
  | `rerank@${string}`
  | `retriever:${string}@${string}`;
const STAGE = /^(?:lexical|(?:vector|rerank)(?:@[0-9a-f]+)?|retriever:[^@]+@[0-9a-f]+)$/;

/** The list and the position where the next page begins. */
export interface CursorState {
  /** Number of entries before the page. */
  readonly offset: number;
  readonly corpusRevision: number;
  /** 16 hex digits over everything that determines the list except the corpus. */
  readonly queryHash: string;
  readonly stages: readonly Stage[];
}

/** The list that a cursor must match to be continued. */
export interface CursorContext {
  readonly corpusRevision: number;
  readonly queryHash: string;
}

const VERSION = 1;
const MAX_LENGTH = 1024;
const MAX_STAGES = 20;

/** Encodes a cursor: base64url without padding, opaque to callers. */
export function encodeCursor(state: CursorState): string {
  const { offset, corpusRevision, queryHash, stages } = state;
  const json = { v: VERSION, offset, corpus_revision: corpusRevision, query_hash: queryHash, stages };
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

/**
 * Decodes a cursor for the list that `context` describes. Throws `invalid_input` for a malformed cursor or one of another list, and
 * `stale_cursor` when the corpus has changed since.
 */
export function decodeCursor(cursor: string, context: CursorContext): CursorState {
  const state = parse(cursor);
  if (state === undefined) throw refused(cursor, 'was not issued by kebab');
  if (state.queryHash !== context.queryHash)
    throw refused(cursor, 'belongs to a search with another query, mode, filters or `search` settings');
  if (state.corpusRevision !== context.corpusRevision)
    throw new KebabError('stale_cursor', 'the cursor is older than the last change of the knowledge base', {
      details: {
        reason: 'revision',
        expected: String(context.corpusRevision),
        found: String(state.corpusRevision),
      },
    });
  return state;
}

/** The name of a stage, without the hash. */
export function stageName(stage: Stage): string {
  return stage.replace(/@.*$/, '');
}

/**
 * Throws `stale_cursor` when a stage of a list is not available or has been replaced by another one. The message names the stage, and the
 * reason if `reasonOf` returns one.
 */
export function requireStages(
  state: CursorState,
  available: readonly Stage[],
  reasonOf: (stage: Stage) => string | undefined = () => undefined,
): void {
  const missing = state.stages.find((stage) => !available.includes(stage));
  if (missing === undefined) return;
  const isReplaced = available.some((stage) => stageName(stage) === stageName(missing));
  const reason = reasonOf(missing);
  const now = isReplaced ? replacement(missing) : `${absence(missing)}${reason === undefined ? '' : ` (${reason})`}`;
  const shown = (stages: readonly Stage[]): string =>
    (isReplaced ? stages : stages.map((stage) => stageName(stage))).join('+');
  throw new KebabError('stale_cursor', `the cursor continues a list ranked ${now}`, {
    details: { reason: 'stages', expected: shown(available), found: shown(state.stages) },
  });
}

function absence(stage: Stage): string {
  const name = stageName(stage);
  if (name === 'vector') return 'with vectors, but vector search is now off';
  if (name === 'rerank') return 'by a reranker, but there is none now';
  return `with the ${name.replace(':', ' ')}, which is not available now`;
}

function replacement(stage: Stage): string {
  const name = stageName(stage);
  if (name === 'vector') return 'with a different embedding model than the one now in use';
  if (name === 'rerank') return 'by a different reranker than the one now in use, or with different settings';
  return `with the ${name.replace(':', ' ')}, whose index has changed since`;
}

function parse(cursor: string): CursorState | undefined {
  if (cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { v, offset, corpus_revision: corpusRevision, query_hash: queryHash, stages } = json as Record<string, unknown>;
  if (v !== VERSION || !isCount(offset) || !isCount(corpusRevision)) return undefined;
  if (typeof queryHash !== 'string' || !/^[0-9a-f]{16}$/.test(queryHash) || !isStages(stages)) return undefined;
  return { offset, corpusRevision, queryHash, stages };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isStages(value: unknown): value is readonly Stage[] {
  return Array.isArray(value) && value.length <= MAX_STAGES && value.every(isStage);
}

function isStage(value: unknown): value is Stage {
  return typeof value === 'string' && STAGE.test(value);
}

function refused(cursor: string, why: string): Error {
  return invalidInput(`the cursor ${why}`, {
    field: 'cursor',
    value: cursor.slice(0, 200),
    hint: 'give the next_cursor of the page before, with the same query and filters',
  });
}

/** Everything that determines a ranked list except the corpus. */
export interface RankingInput {
  /** The kind of list: a search, a list of documents or of lines, the lines of a symbol, or an outline. */
  readonly list: 'search' | 'documents' | 'lines' | 'symbol' | 'outline';
  readonly text: string;
  readonly mode: string;
  readonly filters: SearchFilters;
  /** The settings that affect ranking. */
  readonly settings: JsonValue;
}

/** 16 hex digits that identify a ranked list: equal for equal lists, whatever the order of keys and of values in a filter. */
export function hashRanking({ list, text, mode, filters, settings }: RankingInput): string {
  return blake3Short(canonicalJson({ list, text, mode, filters: filtersJson(filters), settings }));
}

function filtersJson(filters: SearchFilters): JsonValue {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, value]: [string, unknown]) => {
      if (value === undefined) return [];
      if (value instanceof Date) return [[key, value.toISOString()]];
      if (key === 'within') return [[key, filtersJson(value as SearchFilters)]];
      return [[key, Array.isArray(value) ? [...new Set(value as readonly string[])].toSorted() : (value as string)]];
    }),
  );
}

/** The sizes of the items of a list, and of the response around them. */
interface FitRequest {
  readonly sizes: readonly number[];
  readonly budget: number;
  /** The size of the response around the first `count` items. */
  readonly sizeAround: (count: number) => number;
}

/** How many items from the start of a list fit into the budget of a response: at least one, if there is one. */
export function countThatFits({ sizes, budget, sizeAround }: FitRequest): number {
  let items = sizes.reduce((sum, size) => sum + size, 0);
  for (let count = sizes.length; count > 1; count--) {
    const commas = count - 1;
    if (sizeAround(count) + items + commas <= budget) return count;
    items -= sizes[count - 1] ?? 0;
  }
  return sizes.length === 0 ? 0 : 1;
}
