import type { AnswerRow } from '../../contracts/logs.ts';
import type { Mode } from '../../domain/query.ts';
import { type RelevanceEvidence, wireEvidence } from '../../relevance/estimate-relevance.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { Answer, Degraded, HopRecord, RefusalReason, Trace } from '../../wire/index.ts';
import type { NumberedEvidence } from '../prompt/pack-context.ts';
import type { Evidence } from '../retrieval/retrieve-evidence.ts';
import type { OpenSession } from '../sessions/chat-sessions.ts';
import type { CheckedAnswer } from '../verify/check-answer.ts';
import { nearCandidates, refusalSentence } from './refusal.ts';
import type { SubmittedQuestion } from './submit-question.ts';

/** A question before its first stage, with the settings that count until a stage returns its own. */
export interface AskStart extends Pick<Answer, 'model'> {
  readonly asked: CheckedAsk;
  readonly traceId: string;
  readonly createdAt: Date;
  readonly scoreGate: number;
}

/** The outcome of a question, and what its stages returned; null for a stage that was not reached. */
export interface AskResult {
  readonly outcome: Outcome;
  readonly submitted: SubmittedQuestion | null;
  readonly base: KnowledgeBase | null;
  /** Null also for a question that consists only of files. */
  readonly search: SearchResult | null;
  /** The steps of a multi-hop question; empty for another one. */
  readonly hops: readonly HopRecord[];
  readonly written: WrittenAnswer | null;
  /** The model that was called, and what it used. */
  readonly call: (Pick<Answer, 'model'> & TokenUsage) | null;
  readonly verification: NonNullable<Answer['verification']> | null;
  /** Each skipped stage once. */
  readonly degraded: readonly Degraded[];
}

/** The knowledge base that a question is asked of. */
export interface KnowledgeBase {
  readonly hasDatabase: boolean;
  readonly hasDocuments: boolean;
  /** Null for a single question, and without a database. */
  readonly session: OpenSession | null;
}

/** The search for a question. */
export interface SearchResult extends Pick<Answer, 'embedding'> {
  /** The mode that ran. */
  readonly mode: Mode;
  readonly scoreGate: number;
  readonly topScore: number;
  /** The evidence for the joint relevance of the best passages; null when nothing was found. */
  readonly relevance: RelevanceEvidence | null;
  readonly chunksReturned: number;
  readonly trace: Trace | null;
}

/** The prompt of an answer. */
export interface WrittenAnswer {
  /** Everything in the prompt, by number. */
  readonly passages: readonly NumberedEvidence[];
  readonly chunksUsed: number;
}

/** The tokens of all calls of a model. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Converts to answer.v1, the only place where an answer is converted to its wire form. */
export function writeAnswer(start: AskStart, result: AskResult, latencyMs: number): Answer {
  const { asked } = start;
  const { outcome, submitted, base, search, written, call, hops, verification } = result;
  const session = base?.session ?? null;
  return {
    schema_version: 'answer.v1',
    ...contentOf(asked, outcome, written?.passages ?? []),
    model: call?.model ?? start.model,
    embedding: search?.embedding ?? null,
    prompt_template_version: asked.template,
    retrieval: {
      trace_id: start.traceId,
      mode: search?.mode ?? asked.mode,
      k: asked.k,
      score_gate: search?.scoreGate ?? start.scoreGate,
      top_score: search?.topScore ?? 0,
      chunks_returned: search?.chunksReturned ?? 0,
      chunks_used: written?.chunksUsed ?? 0,
      ...(asked.explain && search?.relevance != null ? { evidence: wireEvidence(search.relevance) } : {}),
    },
    usage: {
      prompt_tokens: call?.promptTokens ?? 0,
      completion_tokens: call?.completionTokens ?? 0,
      latency_ms: Math.round(latencyMs),
    },
    created_at: start.createdAt.toISOString(),
    conversation_id: session?.sessionId ?? null,
    turn_index: session?.nextIndex ?? null,
    unsupported: outcome.kind === 'answer' ? outcome.unsupported : [],
    ...(outcome.kind === 'answer' && outcome.checks !== null ? { checks: outcome.checks } : {}),
    ...(outcome.failure === null ? {} : { failure: outcome.failure }),
    ...(outcome.kind === 'answer' || outcome.written === '' ? {} : { written: outcome.written }),
    alerts: [...(submitted?.alerts ?? []), ...(outcome.kind === 'answer' ? outcome.alerts : [])],
    degraded: result.degraded,
    ...(asked.explain ? { explain: explanationOf(result) } : {}),
    ...(asked.multiHop ? { hops } : {}),
    ...(verification === null ? {} : { verification }),
  };
}

function contentOf(
  { question }: CheckedAsk,
  outcome: Outcome,
  passages: readonly NumberedEvidence[],
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
        answer: refusalSentence(outcome.reason, question),
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

function explanationOf({ outcome, search, written }: AskResult): NonNullable<Answer['explain']> {
  return {
    claims: outcome.kind === 'answer' ? outcome.claims : [],
    passages: (written?.passages ?? []).map(({ number, citation, score, bm25, cosine }) => ({
      marker: `[${number}]`,
      uri: citation.uri,
      score,
      lexical_score: bm25,
      vector_score: cosine,
    })),
    trace: search?.trace ?? NO_TRACE,
  };
}

/** The outcome of a question. */
export type Outcome =
  | (Omit<Extract<CheckedAnswer, { kind: 'answer' }>, 'reason'> & {
      readonly reason: RefusalReason | null;
      /** The error message of whatever failed; null when nothing did. */
      readonly failure: string | null;
    })
  | {
      readonly kind: 'refusal';
      readonly reason: RefusalReason;
      readonly near: readonly Evidence[];
      readonly failure: string | null;
      /** Model output that is not an answer; empty when there is none. */
      readonly written: string;
    };

/** Converts an answer, with its passages, to the row that is stored. */
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
