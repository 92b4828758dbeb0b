import { ERROR_CODES } from '../../errors/codes.ts';
import { MEDIA } from '../../domain/kinds.ts';
import type { PluginKind } from '../contributions.ts';

/** Checks an answer: returns one line that says what is wrong with it, or null when it meets its contract. */
type Check = (answer: unknown, given: { readonly args: readonly unknown[]; readonly made: object }) => string | null;

const CHECKS: { readonly [K in PluginKind]?: Readonly<Record<string, Check>> } = {
  embedder: {
    embed: (answer, { args, made }) =>
      faultInVectors(answer as readonly Float32Array[], {
        count: (args[0] as readonly unknown[]).length,
        dimensions: (made as { readonly dimensions: number }).dimensions,
      }),
  },
  reranker: { rerank: (answer, { args }) => faultInScores(answer, args[1] as readonly { readonly chunkId: string }[]) },
  groundedness: {
    check: (answer, { args }) => faultInEntailments(answer, args[0] as readonly string[], args[1] as readonly string[]),
    judge: faultInJudgement,
  },
  source: {
    read: (answer) => (answer instanceof Uint8Array ? null : 'what it read is no Uint8Array'),
    stat: (answer) => (answer === null || isStat(answer) ? null : 'its stat is neither null nor a size and a time'),
  },
  vector_store: {
    search: faultInHits,
    listCollections: (answer) => (isListOfTexts(answer) ? null : 'its collections are not a list of names'),
    checkIntegrity: (answer) => (isListOfTexts(answer) ? null : 'its problems are not a list of sentences'),
  },
};

/** Whether any answers or items of this kind of contribution are checked. */
export function hasChecks(kind: PluginKind): boolean {
  return CHECKS[kind] !== undefined || kind === 'llm';
}

/** Describes what is wrong with the answer of a method; null when it meets its contract, and for methods that are not checked. */
export function faultInAnswer(
  { kind, method, answer }: { readonly kind: PluginKind; readonly method: string; readonly answer: unknown },
  call: { readonly args: readonly unknown[]; readonly made: object },
): string | null {
  return CHECKS[kind]?.[method]?.(answer, call) ?? null;
}

/** Describes what is wrong with an item that a contribution yields, as one line; null when it meets its contract. */
export function faultInItem(kind: PluginKind, item: unknown): string | null {
  if (kind === 'llm') return faultInPiece(item);
  return kind === 'source' ? faultInEntry(item) : null;
}

function faultInPiece(item: unknown): string | null {
  const piece = (item ?? {}) as Readonly<Record<string, unknown>>;
  if (piece['kind'] === 'token') return typeof piece['token'] === 'string' ? null : 'a token is not a string';
  if (piece['kind'] !== 'done') return 'it gave something that is neither a token nor the end';
  return typeof piece['usage'] === 'object' && piece['usage'] !== null ? null : 'its end does not say what was used';
}

/** The error of a stream that ends with an error before its first token, which fails as a whole; null for every other item. */
export function failureAtStart(item: unknown, index: number): string | null {
  const { kind, finishReason, error } = (item ?? {}) as Readonly<Record<string, unknown>>;
  if (index > 0 || kind !== 'done' || finishReason !== 'error') return null;
  return typeof error === 'string' ? error : 'it broke off before its first token';
}

function faultInEntry(item: unknown): string | null {
  const entry = (item ?? {}) as Readonly<Record<string, unknown>>;
  const { workspacePath } = entry;
  if (typeof workspacePath !== 'string' || !isInside(workspacePath))
    return `${JSON.stringify(workspacePath) ?? 'nothing'} is not a path inside the root`;
  switch (entry['kind']) {
    case 'file':
      return faultInFile(entry);
    case 'skipped':
      return typeof entry['counter'] === 'string' ? null : `${workspacePath} is skipped without saying why`;
    case 'error':
      return faultInError(entry);
    default:
      return `${workspacePath} is neither a file nor skipped nor an error`;
  }
}

function faultInError({ workspacePath, message, code }: Readonly<Record<string, unknown>>): string | null {
  if (typeof message !== 'string') return `${workspacePath as string} has failed without saying why`;
  return (ERROR_CODES as readonly unknown[]).includes(code)
    ? null
    : `${workspacePath as string} has failed with ${JSON.stringify(code) ?? 'no code'}, which is no code of kebab's`;
}

/** The range of a Date, in milliseconds on either side of 1970. */
const MAX_DATE_MS = 8.64e15;

function faultInFile(entry: Readonly<Record<string, unknown>>): string | null {
  const { uri, size, mtimeNs, birthtimeMs, linkChangedNs, mediaType } = entry;
  const path = entry['workspacePath'] as string;
  const media = (mediaType as { readonly kind?: unknown } | null | undefined)?.kind;
  if (typeof uri !== 'string') return `${path} has no uri`;
  if (!isSize(size) || typeof birthtimeMs !== 'number') return `${path} has no size or no birthtimeMs`;
  if (!(Math.abs(birthtimeMs) <= MAX_DATE_MS)) return `${path} has the birthtimeMs ${birthtimeMs}, which is no date`;
  if (typeof mtimeNs !== 'bigint') return `${path} has no mtimeNs, which is a bigint`;
  if (!isStorable(mtimeNs)) return `${path} has the mtimeNs ${mtimeNs}, which is more than 64 bits hold`;
  if (linkChangedNs !== undefined && typeof linkChangedNs !== 'bigint')
    return `${path} has a linkChangedNs that is no bigint`;
  return (MEDIA as readonly unknown[]).includes(media) ? null : `${path} has no mediaType that kebab knows`;
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isStorable(ns: bigint): boolean {
  return BigInt.asIntN(64, ns) === ns;
}

/** Relative, normalised, with `/`; the root itself is `.`. */
function isInside(path: string): boolean {
  if (path === '.') return true;
  return !path.includes('\0') && !EMPTY_OR_DOTS.test(path);
}

/** An empty or dot segment: one regular expression, because a walk yields thousands of paths. */
const EMPTY_OR_DOTS = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** How far from 1 the length of a unit vector may be. */
const TOLERANCE = 1e-3;

/** Describes what is wrong with the answer of an embedder, as one line; null when it meets its contract. */
export function faultInVectors(
  vectors: readonly (Float32Array | null)[],
  { count, dimensions }: { readonly count: number; readonly dimensions: number },
): string | null {
  if (!Array.isArray(vectors)) return 'its answer is not a list of vectors';
  if (vectors.length !== count) return `${count} texts came back as ${vectors.length} vectors`;
  for (const vector of vectors) {
    if (vector === null) continue;
    if (!(vector instanceof Float32Array)) return 'a vector is no Float32Array';
    if (vector.length !== dimensions) return `a vector has ${vector.length} dimensions instead of ${dimensions}`;
    const squared = vector.reduce((sum, value) => sum + value * value, 0);
    if (!Number.isFinite(squared)) return 'a vector holds a value that is not finite';
    if (Math.abs(Math.sqrt(squared) - 1) > TOLERANCE)
      return `a vector is not a unit vector: its length is ${Math.sqrt(squared)}`;
  }
  return null;
}

function faultInScores(answer: unknown, items: readonly { readonly chunkId: string }[]): string | null {
  if (!Array.isArray(answer)) return 'its answer is not a list';
  const scores = new Map<unknown, unknown>(
    answer.map((one: { readonly chunkId?: unknown; readonly score?: unknown } | null) => [one?.chunkId, one?.score]),
  );
  const isWhole = answer.length === items.length && items.every(({ chunkId }) => scores.has(chunkId));
  if (!isWhole) return 'it did not return each passage once';
  const odd = [...scores.values()].find((score) => !isShare(score));
  return odd === undefined && !scores.has(undefined) ? null : `a score is ${String(odd)}, not a number from 0 to 1`;
}

function faultInEntailments(answer: unknown, claims: readonly string[], passages: readonly string[]): string | null {
  const isTable =
    Array.isArray(answer) &&
    answer.length === claims.length &&
    answer.every((row: unknown) => Array.isArray(row) && row.length === passages.length);
  if (!isTable) return `it did not judge ${claims.length} claims against ${passages.length} passages`;
  const rows = answer as readonly (readonly ({ readonly entailment?: unknown } | null)[])[];
  const odd = rows.flat().find((one) => !isShare(one?.entailment));
  return odd === undefined ? null : `an entailment is ${String(odd?.entailment)}, not a number from 0 to 1`;
}

const VERDICTS: readonly unknown[] = ['supported', 'unsupported', 'contradicted', null];

/** Checks what the wire form of an answer and its display rely on. */
function faultInJudgement(answer: unknown): string | null {
  const { text, sentences, findings, cited, attributed, unsupported } = (answer ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof text !== 'string') return 'its judgement has no text';
  if (![sentences, findings, cited, attributed].every(Array.isArray) || !isListOfTexts(unsupported))
    return 'its judgement lacks sentences, findings, cited, attributed or unsupported';
  const parts = [...(sentences as readonly unknown[]), ...(findings as readonly unknown[])] as readonly {
    readonly start?: unknown;
    readonly end?: unknown;
    readonly verdict?: unknown;
  }[];
  const isRange = ({ start, end }: (typeof parts)[number]): boolean =>
    isSize(start) && isSize(end) && start <= end && end <= text.length;
  const outside = parts.find((part) => !isRange(part));
  if (outside !== undefined)
    return `a range from ${String(outside.start)} to ${String(outside.end)} is not in its text`;
  const odd = (sentences as typeof parts).find(({ verdict }) => !VERDICTS.includes(verdict));
  return odd === undefined ? null : `a verdict is ${String(odd.verdict)}`;
}

function faultInHits(answer: unknown): string | null {
  if (!Array.isArray(answer)) return 'its answer is not a list of hits';
  const isSound = answer.every(
    (hit: { readonly chunkId?: unknown; readonly score?: unknown } | null) =>
      typeof hit?.chunkId === 'string' && Number.isFinite(hit.score),
  );
  return isSound ? null : 'a hit has no chunk, or no score';
}

/** Whether an answer is a list of strings. */
export function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isStat(value: unknown): boolean {
  const { size, mtimeNs } = (value ?? {}) as { readonly size?: unknown; readonly mtimeNs?: unknown };
  return isSize(size) && typeof mtimeNs === 'bigint' && isStorable(mtimeNs);
}
