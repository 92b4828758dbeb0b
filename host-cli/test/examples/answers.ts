import type { Answer } from '@kebab/core/app';
import { lineCitation, seen, time } from './places.ts';
import { trace } from './searches.ts';

export const answer: Answer = {
  schema_version: 'answer.v1',
  answer:
    'Heading boundaries come first [1]. Code blocks are never cut in the middle [2].\nTables stay in one chunk where possible [2]. Long sections are split by paragraph [1].',
  citations: [
    {
      marker: '[1]',
      citation: lineCitation,
      score: 0.82,
      ...seen,
      quotes: [{ text: 'heading boundaries', verified: true }],
      verified: true,
    },
    {
      marker: '[2]',
      citation: {
        ...lineCitation,
        kind: 'line',
        uri: 'notes/kebab-architecture.md#L665-L668',
        start: 665,
        end: 668,
        section: '§14 Chunking policy',
      },
      score: 0.82,
      ...seen,
      quotes: [],
      verified: null,
    },
  ],
  grounded: true,
  refusal_reason: null,
  model: { id: 'qwen2.5:14b-instruct', provider: 'ollama' },
  embedding: { id: 'multilingual-e5-small', provider: 'transformers', dimensions: 384 },
  prompt_template_version: 'rag-v2',
  retrieval: {
    trace_id: 'ret_0a1b2c3d',
    mode: 'hybrid',
    k: 8,
    score_gate: 0.3,
    top_score: 0.82,
    chunks_returned: 8,
    chunks_used: 3,
  },
  usage: { prompt_tokens: 1184, completion_tokens: 312, latency_ms: 1842 },
  created_at: time,
  conversation_id: null,
  turn_index: null,
  unsupported: [],
  alerts: [],
  degraded: [],
};

/** The answer with its explanation. */
export const explained: Answer = {
  ...answer,
  explain: {
    claims: [
      {
        text: 'Heading boundaries come first.',
        evidence: [
          {
            marker: '[1]',
            uri: 'notes/kebab-architecture.md#L662',
            quote: 'heading boundaries take precedence',
            verified: true,
          },
        ],
      },
    ],
    passages: [
      {
        marker: '[1]',
        uri: 'notes/kebab-architecture.md#L661-L672',
        score: 0.82,
        lexical_score: 12.4,
        vector_score: 0.78,
      },
      {
        marker: '[2]',
        uri: 'notes/kebab-architecture.md#L692-L713',
        score: 0.78,
        lexical_score: 10.1,
        vector_score: 0.74,
      },
      { marker: '[3]', uri: 'guides/markdown-style.md#L4-L18', score: 0.55, lexical_score: 8.2, vector_score: 0.61 },
    ],
    trace,
  },
};
