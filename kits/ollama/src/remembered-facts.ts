import { isKebabError, type AbortOptions, type DerivationCache } from '@kebab/core';
import type { ModelFacts } from './model-facts.ts';
import type { OllamaServer } from './ollama-server.ts';

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
