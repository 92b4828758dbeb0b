import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Reranker } from '../contracts/reranker.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { Degraded } from '../wire/index.ts';

/** The reranker of a search, or why there is none. */
export type RerankSide =
  | {
      readonly kind: 'ready';
      readonly reranker: Reranker;
      /** It orders the first so many entries of a list. */
      readonly topN: number;
    }
  | { readonly kind: 'absent'; readonly degraded: Degraded };

/** The configured reranker; null when the configuration names none. What fails, fails softly; aborts pass through. */
export async function findReranker({
  rerankers,
  config,
}: Pick<Ports, 'rerankers'> & { readonly config: Pick<ResolvedConfig, 'models'> }): Promise<RerankSide | null> {
  const { provider, topN } = config.models.rerank;
  if (provider === 'none') return null;
  try {
    return { kind: 'ready', reranker: await rerankers.get(provider), topN };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'absent', degraded: rerankFailed(error) };
  }
}

/** What a search says that went on without its reranker. */
export function rerankFailed(error: unknown): Degraded {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = isKebabError(error) && error.hint !== undefined ? error.hint : 'or set models.rerank.provider to none';
  return { stage: 'rerank', reason: 'reranker_failed', hint: `${message}; ${remedy}` };
}
