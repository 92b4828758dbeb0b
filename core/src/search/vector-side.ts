import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Retriever } from '../contracts/retriever.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { Components } from '../plugin/components.ts';
import type { Degraded } from '../wire/index.ts';

/** The vector side of a search: a retriever, or why there is none. */
export type VectorSide =
  | { readonly kind: 'ready'; readonly retriever: Retriever }
  | { readonly kind: 'absent'; readonly degraded: Degraded };

/** Finds what ranks by vectors: the first contributed retriever whose scores are cosines. */
export async function findVectorSide(
  components: Components,
  config: Pick<ResolvedConfig, 'models'>,
): Promise<VectorSide> {
  if (components.list('retriever').length > 0) {
    const retrievers = await components.all('retriever');
    const retriever = retrievers.find(({ scoreKind }) => scoreKind === 'cosine');
    if (retriever !== undefined) return { kind: 'ready', retriever };
  }
  const { provider } = config.models.embedding;
  if (provider === 'none')
    return absent('provider_none', 'name an embedder with models.embedding.provider, or search with --mode lexical');
  if (components.list('embedder').length === 0)
    return absent(
      'provider_none',
      `no plugin here provides the embedder "${provider}"; install one, or search with --mode lexical`,
    );
  return absent('vectors_missing', 'make the vectors with `kebab ingest`');
}

/** What a hybrid search says of a vector side that failed; undefined for failures that are not about vectors. */
export function degradedBy(error: unknown): Degraded | undefined {
  if (!isKebabError(error)) return undefined;
  const { code, hint } = error;
  switch (code) {
    case 'model_not_pulled':
    case 'model_unreachable':
    case 'vector_store_unreachable':
    case 'plugin_failed':
      return { stage: 'vector', reason: code, hint };
    case 'timeout':
      return { stage: 'vector', reason: 'model_unreachable', hint };
    case 'not_indexed':
      return { stage: 'vector', reason: 'vectors_missing', hint };
    default:
      return undefined;
  }
}

/** The failure of `--mode vector` where a hybrid search would do without vectors. */
export function vectorsUnavailable({ reason, hint }: Degraded): KebabError<'not_indexed'> {
  return new KebabError('not_indexed', 'vector search is not possible: there are no vectors', {
    details: { expected: 'vectors', found: reason },
    hint,
  });
}

function absent(reason: Degraded['reason'], hint: string): VectorSide {
  return { kind: 'absent', degraded: { stage: 'vector', reason, hint } };
}
