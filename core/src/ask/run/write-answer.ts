import { nearCandidates, refusalSentence } from '../refusal/refusal-sentences.ts';
import type { Evidence, NumberedEvidence } from '../retrieval/evidence.ts';
import type { Validated } from '../verify/post-validate.ts';
import type { AnswerRow } from '../../contracts/answer-log.ts';
import type { Mode } from '../../domain/query.ts';
import type { RelevanceEvidence } from '../../relevance/estimate-relevance.ts';
import { wireEvidence } from '../../relevance/judge-passages.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { Alert, Answer, Degraded, HopRecord, RefusalReason, Trace } from '../../wire/index.ts';

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
      ...(asked.explain && facts.relevance !== null ? { evidence: wireEvidence(facts.relevance) } : {}),
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
    ...(outcome.kind === 'answer' ? { checks: outcome.checks } : {}),
    ...(outcome.failure === null ? {} : { failure: outcome.failure }),
    ...(outcome.kind === 'answer' || outcome.written === '' ? {} : { written: outcome.written }),
    alerts: facts.alerts,
    degraded: facts.degraded,
    ...(asked.explain ? { explain: explanationOf(facts, outcome) } : {}),
    ...(hops === null ? {} : { hops }),
    ...(verification === null || verification === undefined ? {} : { verification }),
  };
}

function contentOf(
  { asked, passages }: AnswerFacts,
  outcome: Outcome,
): Pick<Answer, 'answer' | 'citations' | 'grounded' | 'refusal_reason'> {
  switch (outcome.kind) {
    case 'answer':
      return {
        answer: outcome.text,
        citations: outcome.citations.length > 0 ? outcome.citations : nearCandidates(passages),
        grounded: outcome.reason === null,
        refusal_reason: outcome.reason,
      };
    case 'refusal':
      return {
        answer: refusalSentence(outcome.reason, asked.question),
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

/** Where a question stands in its conversation. */
interface TurnPlace {
  readonly sessionId: string;
  /** 0-based. */
  readonly index: number;
}

/** What is known about how a question was answered, whatever came of it. */
export interface AnswerFacts {
  readonly asked: CheckedAsk;
  readonly traceId: string;
  readonly createdAt: Date;
  readonly model: Answer['model'];
  readonly embedding: Answer['embedding'];
  /** The mode that ran; the one asked for when none did. */
  readonly mode: Mode;
  readonly scoreGate: number;
  readonly topScore: number;
  /** What the relevance of the best passages together rests on; null where nothing was found. */
  readonly relevance: RelevanceEvidence | null;
  readonly chunksReturned: number;
  readonly chunksUsed: number;
  /** Everything that stood in the prompt, by number. */
  readonly passages: readonly NumberedEvidence[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly alerts: readonly Alert[];
  readonly degraded: readonly Degraded[];
  readonly trace: Trace | null;
  /** Null without multi-hop. */
  readonly hops: readonly HopRecord[] | null;
  readonly verification: Answer['verification'] | null;
  readonly turn: TurnPlace | null;
}

/** What came of a question. */
export type Outcome =
  | (Omit<Extract<Validated, { kind: 'answer' }>, 'reason'> & {
      readonly reason: RefusalReason | null;
      /** What went wrong on the way, in the words of whatever failed; null when nothing did. */
      readonly failure: string | null;
    })
  | {
      readonly kind: 'refusal';
      readonly reason: RefusalReason;
      readonly near: readonly Evidence[];
      readonly failure: string | null;
      /** What the model wrote that is no answer; empty when it wrote nothing. */
      readonly written: string;
    };

/** An answer as it is kept, with the passages it was made from. */
export function toAnswerRow(question: string, answer: Answer, passages: readonly NumberedEvidence[]): AnswerRow {
  const { retrieval, usage } = answer;
  const packed = passages.map(({ number, chunkId, citation, score }) => ({
    number,
    chunk_id: chunkId,
    uri: citation.uri,
    content_hash: citation.content_hash,
    score,
  }));
  return {
    traceId: retrieval.trace_id,
    query: question,
    answer: answer.answer,
    grounded: answer.grounded,
    refusalReason: answer.refusal_reason,
    modelId: answer.model.id,
    modelProvider: answer.model.provider,
    embeddingModelId: answer.embedding?.id ?? null,
    embeddingDimensions: answer.embedding?.dimensions ?? null,
    promptTemplateVersion: answer.prompt_template_version,
    retrievalMode: retrieval.mode,
    retrievalK: retrieval.k,
    scoreGate: retrieval.score_gate,
    topScore: retrieval.top_score,
    chunksReturned: retrieval.chunks_returned,
    chunksUsed: retrieval.chunks_used,
    citationsJson: JSON.stringify(answer.citations),
    packedChunksJson: packed.length === 0 ? null : JSON.stringify(packed),
    answerJson: JSON.stringify(answer),
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    latencyMs: usage.latency_ms,
    createdAt: new Date(answer.created_at),
  };
}
