import type { ListResponse, ShowResponse } from 'ollama';

/** What a server tells about one of its models; null where it does not. */
export interface ModelFacts {
  /** Names the weights: another digest may give another output. */
  readonly digest: string | null;
  /** The tokens that fit into its window. */
  readonly contextTokens: number | null;
  /** The length of its vectors. */
  readonly embeddingLength: number | null;
  /** `completion`, `vision`, `thinking`, `embedding`, …; null from a server too old to tell. */
  readonly capabilities: readonly string[] | null;
}

/** Reads the facts out of what `/api/show` and `/api/tags` answer. */
export function modelFacts(model: string, shown: ShowResponse, listed: ListResponse): ModelFacts {
  // The client's types promise a Map and every member; the server sends an object, and older ones send less.
  const info = (shown.model_info ?? {}) as unknown as Readonly<Record<string, unknown>>;
  const name = info['general.architecture'];
  const architecture = typeof name === 'string' ? name : '';
  const capabilities: unknown = shown.capabilities;
  return {
    digest: digestOf(model, listed),
    contextTokens: count(info[`${architecture}.context_length`]),
    embeddingLength: count(info[`${architecture}.embedding_length`]),
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : null,
  };
}

/** A name as servers list it: without a tag it means `latest`. */
export function fullModelName(model: string): string {
  return /:[^/]+$/.test(model) ? model : `${model}:latest`;
}

/** The digest as it appears in versions: long enough to tell models apart, short enough to read; `unknown` without one. */
export function shortDigest(facts: ModelFacts | null): string {
  return facts?.digest?.slice(0, 12) ?? 'unknown';
}

function digestOf(model: string, { models }: ListResponse): string | null {
  const name = fullModelName(model);
  return (models ?? []).find((each) => each.name === name)?.digest ?? null;
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}
