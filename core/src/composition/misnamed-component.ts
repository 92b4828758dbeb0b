import { invalidConfig } from '../config/invalid-config.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { PluginKind } from '../plugin/contributions.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';

/** Keys that name a contribution of a plugin: its kind, and what a sentence calls it. */
const NAMING: ReadonlyMap<string, readonly [kind: PluginKind, what: string]> = new Map([
  ['storage.vector_store', ['vector_store', 'vector store']],
  ['chunking.chunker_version', ['chunker', 'chunker']],
  ['ocr.engine', ['ocr', 'OCR engine']],
  ['caption.provider', ['captioner', 'captioner']],
  ['models.embedding.provider', ['embedder', 'embedding provider']],
  ['models.llm.provider', ['llm', 'provider of language models']],
  ['models.rerank.provider', ['reranker', 'reranker']],
  ['models.nli.provider', ['groundedness', 'verifier']],
]);

/**
 * The first key of the configuration that names what neither kebab nor an installed plugin has, as `config_invalid` with the
 * nearest name; null when there is none. Only manifests are read. A plugin that is switched off counts as installed: without it
 * kebab does less, and says so.
 */
export function misnamedComponent(
  { config, keys, origins }: Pick<ConfigResolution, 'config' | 'keys' | 'origins'>,
  installed: readonly LoadedPlugin[],
): KebabError<'config_invalid'> | null {
  for (const { name: key, key: spec, steps } of keys.keys) {
    const named = NAMING.get(key);
    const origin = origins.get(key);
    if (named === undefined || spec.kind !== 'text' || origin === undefined || origin.origin === 'default') continue;
    const [kind, what] = named;
    const id = steps.reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[step], config);
    const ids = [...new Set([...spec.known, ...installed.flatMap(({ manifest }) => manifest.contributes[kind] ?? [])])];
    if (typeof id !== 'string' || ids.includes(id)) continue;
    const nearest = nearestName(id, ids);
    const cause = `there is no ${what} ${JSON.stringify(id)}; there is ${ids.join(', ')}`;
    const { message, details } = invalidConfig({ origin, key }, cause, nearest);
    const correction =
      origin.origin === 'env'
        ? `correct or unset ${origin.variable}`
        : `\`kebab config set ${key} ${nearest ?? spec.default}\``;
    const hint = `${correction}; if a plugin brings it, name that plugin under \`plugins\``;
    return new KebabError('config_invalid', message, { details, hint });
  }
  return null;
}
