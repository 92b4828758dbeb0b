import type { Answer, Trace } from '../../wire/index.ts';
import { nearCandidates } from '../refusal/near-candidates.ts';
import { refusalSentence } from '../refusal/refusal-sentences.ts';
import type { AnswerFacts, Outcome } from './answer-facts.ts';

/** Writes answer.v1: the one place where an answer takes its wire form. */
export function writeAnswer(facts: AnswerFacts, outcome: Outcome, latencyMs: number): Answer {
  const { asked, turn, hops, verification } = facts;
  return {
    schema_version: 'answer.v1',
    ...contentOf(facts, outcome),
    model: facts.model,
    embedding: facts.embedding,
    prompt_template_version: asked.template,
    retrieval: {
      trace_id: facts.traceId,
      mode: facts.mode,
      k: asked.k,
      score_gate: facts.scoreGate,
      top_score: facts.topScore,
      chunks_returned: facts.chunksReturned,
      chunks_used: facts.chunksUsed,
    },
    usage: {
      prompt_tokens: facts.promptTokens,
      completion_tokens: facts.completionTokens,
      latency_ms: Math.round(latencyMs),
    },
    created_at: facts.createdAt.toISOString(),
    conversation_id: turn?.sessionId ?? null,
    turn_index: turn?.index ?? null,
    unsupported: outcome.kind === 'answer' ? outcome.unsupported : [],
    alerts: facts.alerts,
    degraded: facts.degraded,
    ...(asked.explain ? { explain: explanationOf(facts, outcome) } : {}),
    ...(hops === null ? {} : { hops }),
    ...(verification === null || verification === undefined ? {} : { verification }),
  };
}

function contentOf(
  { asked }: AnswerFacts,
  outcome: Outcome,
): Pick<Answer, 'answer' | 'citations' | 'grounded' | 'refusal_reason'> {
  switch (outcome.kind) {
    case 'answer':
      return { answer: outcome.text, citations: outcome.citations, grounded: true, refusal_reason: null };
    case 'refusal':
      return {
        answer: outcome.text === '' ? refusalSentence(outcome.reason, asked.question) : outcome.text,
        citations: nearCandidates(outcome.near),
        grounded: false,
        refusal_reason: outcome.reason,
      };
    default:
      return outcome satisfies never;
  }
}

const NO_TRACE: Trace = {
  lexical: [],
  vector: [],
  rrf_inputs: [],
  query: { terms: [], phrases: [], excluded: [] },
  timing: { lexical_ms: 0, vector_ms: 0, fusion_ms: 0, rerank_ms: 0, total_ms: 0 },
};

function explanationOf({ passages, trace }: AnswerFacts, outcome: Outcome): NonNullable<Answer['explain']> {
  return {
    claims: outcome.kind === 'answer' ? outcome.claims : [],
    passages: passages.map(({ number, citation, score, bm25, cosine }) => ({
      marker: `[${number}]`,
      uri: citation.uri,
      score,
      lexical_score: bm25,
      vector_score: cosine,
    })),
    trace: trace ?? NO_TRACE,
  };
}
