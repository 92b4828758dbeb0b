import type { ListResponse, ShowResponse } from 'ollama';
import { isKebabError, type AbortOptions, type DerivationCache } from '@kebab/core';
import type { OllamaServer } from './ollama-server.ts';

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

/**
 * What is known of a model: what its server tells now, or, while the server cannot be reached, what it told last. So a
 * fingerprint does not depend on whether the server happens to run. Throws what {@link OllamaServer.probe} throws when it
 * has never told anything.
 */
export async function rememberedFacts(
  server: OllamaServer,
  cache: DerivationCache,
  options?: AbortOptions,
): Promise<ModelFacts> {
  const key = `ollama-facts-v1 ${server.endpoint} ${server.model}`;
  try {
    const facts = await server.probe(options);
    cache.set(key, new TextEncoder().encode(JSON.stringify(facts)));
    return facts;
  } catch (error) {
    if (!isKebabError(error, 'model_unreachable') && !isKebabError(error, 'timeout')) throw error;
    const kept = cache.get(key);
    if (kept === undefined) throw error;
    return JSON.parse(new TextDecoder().decode(kept)) as ModelFacts;
  }
}
