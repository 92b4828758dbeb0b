import type { Answer, AnswerCitation, SessionSummary, SessionTurns } from '@kebab/core/app';
import { citation, time } from './searches.ts';

/** A citation of the lines `start` to `end` of the documented note. */
export function cited(
  marker: string | null,
  start: number,
  end: number,
  more: Partial<AnswerCitation> = {},
): AnswerCitation {
  return {
    marker,
    citation: {
      ...citation,
      kind: 'line',
      uri: `notes/kebab-architecture.md#L${start}-L${end}`,
      start,
      end,
      section: '§14 Chunking policy',
    },
    score: 0.82,
    indexed_at: time,
    stale: false,
    freshness: 'fresh',
    quotes: [],
    verified: null,
    ...more,
  };
}

/** The answer of the documentation. */
export const answer: Answer = {
  schema_version: 'answer.v1',
  answer:
    'Heading boundaries come first [1]. Code blocks are never cut in the middle [2].\nTables stay in one chunk where possible [2]. Long sections are split by paragraph [1].',
  citations: [cited('[1]', 661, 672), cited('[2]', 665, 668)],
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

/** The same, taken apart. */
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
    trace: {
      lexical: [],
      vector: [],
      rrf_inputs: [],
      query: { terms: [], phrases: [], excluded: [] },
      timing: { lexical_ms: 0, vector_ms: 0, fusion_ms: 0, rerank_ms: 0, total_ms: 0 },
    },
  },
};

const budget = {
  ...citation,
  kind: 'line',
  uri: 'notes/finance/personal-budget.md#L1-L8',
  start: 1,
  end: 8,
  section: null,
} as const;
const page = (number: number) =>
  ({
    ...citation,
    kind: 'page',
    path: 'papers/book.pdf',
    uri: `papers/book.pdf#p=${number}`,
    page: number,
    section: null,
  }) as const;

/** Refused at the gate. */
export const gated: Answer = {
  ...answer,
  answer: 'Not enough evidence. The knowledge base has nothing on this.',
  citations: [cited(null, 1, 8, { citation: budget, score: 0.21 })],
  grounded: false,
  refusal_reason: 'score_gate',
  retrieval: { ...answer.retrieval, top_score: 0.21, chunks_returned: 1, chunks_used: 0 },
};

/** Refused by the model. */
export const judged: Answer = {
  ...answer,
  answer: 'Not enough evidence. The retrieved chunks do not contain the answer.',
  citations: [
    cited(null, 1, 1, { citation: page(23), score: 0.61 }),
    cited(null, 1, 1, { citation: page(24), score: 0.58 }),
  ],
  grounded: false,
  refusal_reason: 'llm_self_judge',
};

export const session: SessionSummary = {
  schema_version: 'session_summary.v1',
  conversation_id: 'chunking',
  title: 'What are the Markdown chunking rules?',
  turn_count: 1,
  created_at: time,
  updated_at: time,
};

export const sessionTurns: SessionTurns = {
  schema_version: 'session_turns.v1',
  session,
  turns: [
    {
      turn_index: 0,
      question: 'What are the Markdown chunking rules?',
      answer: 'Heading boundaries come first [1].',
      grounded: true,
      citations: [cited('[1]', 661, 672)],
      created_at: time,
    },
  ],
};
