import type { Contribution } from '../../contracts/contribution.ts';
import type { PluginKind } from '../contributions.ts';

/** What a member of a contribution must be. */
type Shape = 'text' | 'number' | 'function' | 'object';

const METHODS = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map((name) => [name, 'function' as const]));

/** The members that kebab relies on, by kind. Interceptors and hooks may leave out every one of theirs. */
const MEMBERS: { readonly [K in PluginKind]?: Readonly<Record<string, Shape>> } = {
  source: METHODS('scan', 'read'),
  extractor: { match: 'object', ...METHODS('supports', 'parserVersion', 'chunkerId', 'extract') },
  chunker: { needs: 'object', reads: 'object', chunk: 'function' },
  embedder: {
    modelId: 'text',
    modelVersion: 'text',
    dimensions: 'number',
    maxInputTokens: 'number',
    relevance: 'object',
    embed: 'function',
  },
  reranker: METHODS('rerank'),
  llm: { model: 'object', contextTokens: 'number', ...METHODS('generate') },
  ocr: METHODS('recognize'),
  captioner: METHODS('caption'),
  groundedness: METHODS('check'),
  vector_store: METHODS('ensureCollection', 'upsert', 'delete', 'search', 'listCollections', 'count', 'dropCollection'),
};

const COMMON: Readonly<Record<string, Shape>> = { version: 'text' };

/** What is wrong with a contribution as it was made, as one line; null when everything that kebab relies on is there. */
export function missingMember(kind: PluginKind, id: string, made: object): string | null {
  const members = MEMBERS[kind];
  if (members === undefined) return null;
  const given = made as Readonly<Record<string, unknown>>;
  if (given['id'] !== id) return `its ${kind} "${id}" calls itself ${JSON.stringify(given['id']) ?? 'nothing'}`;
  for (const [name, shape] of Object.entries({ ...COMMON, ...members }))
    if (!isOf(shape, given[name])) return `its ${kind} "${id}" has no ${name}${shape === 'function' ? '()' : ''}`;
  if (kind === 'embedder' && given['languages'] !== null && !Array.isArray(given['languages']))
    return `its ${kind} "${id}" has no languages: a list, or null for most of them`;
  const { fingerprint } = made as Pick<Contribution, 'fingerprint'>;
  if (fingerprint !== undefined && (typeof fingerprint !== 'function' || !isOf('text', fingerprint.call(made))))
    return `the fingerprint of its ${kind} "${id}" is no text`;
  if (kind === 'chunker' && !isListOfTexts(given['reads']))
    return `the reads of its chunker "${id}" is no list of settings`;
  return null;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isOf(shape: Shape, value: unknown): boolean {
  switch (shape) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'number':
      return typeof value === 'number' && value > 0;
    case 'function':
      return typeof value === 'function';
    case 'object':
      return typeof value === 'object' && value !== null;
    default:
      return shape satisfies never;
  }
}
