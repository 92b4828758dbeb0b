import type { PluginKind } from '../contributions.ts';
import { faultInVectors } from './fault-in-vectors.ts';

/** Looks at an answer: what is wrong with it, as one line; null when it is as promised. */
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
    check: (answer, { args }) => faultInJudgement(answer, args[0] as readonly string[], args[1] as readonly string[]),
  },
  source: {
    read: (answer) => (answer instanceof Uint8Array ? null : 'what it read is no Uint8Array'),
    stat: (answer) => (answer === null || isStat(answer) ? null : 'its stat is neither null nor a size and a time'),
  },
  vector_store: { search: faultInHits },
};

/** What is wrong with what a method of a contribution answered; null for methods whose answers are taken as they are. */
export function faultInAnswer(
  { kind, method, answer }: { readonly kind: PluginKind; readonly method: string; readonly answer: unknown },
  given: { readonly args: readonly unknown[]; readonly made: object },
): string | null {
  return CHECKS[kind]?.[method]?.(answer, given) ?? null;
}

function faultInScores(answer: unknown, items: readonly { readonly chunkId: string }[]): string | null {
  if (!Array.isArray(answer)) return 'its answer is no list';
  const scores = new Map<unknown, unknown>(
    answer.map((one: { readonly chunkId?: unknown; readonly score?: unknown } | null) => [one?.chunkId, one?.score]),
  );
  const isWhole = answer.length === items.length && items.every(({ chunkId }) => scores.has(chunkId));
  if (!isWhole) return 'it did not return each passage once';
  const odd = [...scores.values()].find((score) => !isShare(score));
  return odd === undefined && !scores.has(undefined) ? null : `a score is ${String(odd)}, not a number from 0 to 1`;
}

function faultInJudgement(answer: unknown, claims: readonly string[], passages: readonly string[]): string | null {
  const isTable =
    Array.isArray(answer) &&
    answer.length === claims.length &&
    answer.every((row: unknown) => Array.isArray(row) && row.length === passages.length);
  if (!isTable) return `it did not judge ${claims.length} claims against ${passages.length} passages`;
  const rows = answer as readonly (readonly ({ readonly entailment?: unknown } | null)[])[];
  const odd = rows.flat().find((one) => !isShare(one?.entailment));
  return odd === undefined ? null : `an entailment is ${String(odd?.entailment)}, not a number from 0 to 1`;
}

function faultInHits(answer: unknown): string | null {
  if (!Array.isArray(answer)) return 'its answer is no list of hits';
  const isSound = answer.every(
    (hit: { readonly chunkId?: unknown; readonly score?: unknown } | null) =>
      typeof hit?.chunkId === 'string' && Number.isFinite(hit.score),
  );
  return isSound ? null : 'a hit has no chunk, or no score';
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isStat(value: unknown): boolean {
  const { size, mtimeNs } = (value ?? {}) as { readonly size?: unknown; readonly mtimeNs?: unknown };
  return typeof size === 'number' && typeof mtimeNs === 'bigint';
}
