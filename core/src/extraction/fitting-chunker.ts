import type { Chunker } from '../contracts/chunker.ts';
import type { SpanKind } from '../domain/span.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { PLUGIN_API } from '../plugin/define-plugin.ts';

/**
 * The error `plugin_incompatible` of a chunker that supports none of these kinds of span; null if it supports one, or if none are given.
 * `plugin` is the one that contributes the chunker.
 */
export function spanMismatch(
  { needs, id }: Chunker,
  spans: readonly SpanKind[],
  plugin: string,
): KebabError<'plugin_incompatible'> | null {
  if (spans.length === 0 || spans.some((kind) => needs.spans.includes(kind))) return null;
  const [needed, given] = [needs.spans.join(' or '), spans.join(' or ')];
  const reason = `chunker ${id} needs ${needed} spans, but the extractor yields ${given} spans`;
  return new KebabError('plugin_incompatible', `${plugin} does not fit: ${reason}`, {
    details: { plugin, api_version: PLUGIN_API, supported: [PLUGIN_API], reason },
    hint: 'choose another chunker for these files with `chunking.chunker` in the configuration',
  });
}
