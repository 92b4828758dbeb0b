import type { EmbedInput } from '@kebab/core';

/** What a model wants in front of a text, by what the text is; the space between is part of it. */
export type ModelPrefixes = Readonly<Record<EmbedInput['kind'], string>>;

const NONE: ModelPrefixes = { query: '', document: '' };
const SENTENCE = { query: 'Represent this sentence for searching relevant passages: ', document: '' };
const QUERY_ONLY = { query: 'query: ', document: '' };

/** By the beginning of the name in Ollama's library, as the makers of each model prescribe; the first that fits counts. */
const FAMILIES: readonly (readonly [name: RegExp, prefixes: ModelPrefixes])[] = [
  [/^nomic-embed-text/, { query: 'search_query: ', document: 'search_document: ' }],
  [/^mxbai-embed/, SENTENCE],
  [/^snowflake-arctic-embed2/, QUERY_ONLY],
  [/^snowflake-arctic-embed/, SENTENCE],
  [/^bge-(small|base|large)/, SENTENCE],
  [/^embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [
    /^qwen3-embedding/,
    {
      query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      document: '',
    },
  ],
  [/(^|[-_.])e5([-_.]|$)/, { query: 'query: ', document: 'passage: ' }],
];

/** The prefixes of a model; none for a model that is not known to want any. A name space in front of the name is ignored. */
export function modelPrefixes(model: string): ModelPrefixes {
  const name = (model.split('/').at(-1) ?? '').split(':', 1)[0]?.toLowerCase() ?? '';
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? NONE;
}
