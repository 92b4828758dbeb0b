import type { NumberedEvidence } from '../prompt/pack-context.ts';
import type { Evidence } from '../retrieval/retrieve-evidence.ts';
import type { CheckedAnswer } from '../verify/check-answer.ts';
import type { AnswerRow } from '../../contracts/logs.ts';
import type { Mode } from '../../domain/query.ts';
import { type RelevanceEvidence, wireEvidence } from '../../relevance/estimate-relevance.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { Alert, Answer, Degraded, HopRecord, RefusalReason, Trace, AnswerCitation } from '../../wire/index.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import { cancelled, isAbort } from '../../errors/abort.ts';
import { generateText, type Generation } from '../generate/generate-text.ts';
import type { HopReply } from '../multi-hop/collect-evidence.ts';
import type { ContextBudget, PromptDelimiter } from '../prompt/pack-context.ts';

/** Converts to answer.v1, the only place where an answer is converted to its wire form. */
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
    ...(outcome.kind === 'answer' && outcome.checks !== null ? { checks: outcome.checks } : {}),
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

/** The position of a question in its conversation. */
interface TurnPlace {
  readonly sessionId: string;
  /** 0-based. */
  readonly index: number;
}

/** The facts about answering a question, whatever the outcome. */
export interface AnswerFacts {
  readonly asked: CheckedAsk;
  readonly traceId: string;
  readonly createdAt: Date;
  readonly model: Answer['model'];
  readonly embedding: Answer['embedding'];
  /** The mode that ran; the requested one when none did. */
  readonly mode: Mode;
  readonly scoreGate: number;
  readonly topScore: number;
  /** The evidence for the joint relevance of the best passages; null when nothing was found. */
  readonly relevance: RelevanceEvidence | null;
  readonly chunksReturned: number;
  readonly chunksUsed: number;
  /** Everything in the prompt, by number. */
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

const SENTENCES: Readonly<Record<RefusalLanguage, Readonly<Record<RefusalReason, string>>>> = {
  en: {
    score_gate: 'Not enough evidence. The knowledge base has nothing on this.',
    no_chunks: 'Not enough evidence. The knowledge base has nothing on this.',
    llm_self_judge: 'Not enough evidence. The retrieved chunks do not contain the answer.',
    no_index: 'Not enough evidence. The knowledge base is empty; run kebab ingest first.',
    llm_stream_aborted: 'The answer was interrupted.',
    multi_hop_decompose_failed: 'Not enough evidence. The question could not be split into sub-questions.',
    nli_verification_failed: 'Not enough evidence. The answer could not be verified against the retrieved chunks.',
    nli_model_unavailable: 'Not enough evidence. The model that verifies answers is not available.',
    unverified: 'The answer does not hold against the retrieved chunks.',
  },
  ko: {
    score_gate: '근거가 부족합니다. 지식 베이스에 관련 내용이 없습니다.',
    no_chunks: '근거가 부족합니다. 지식 베이스에 관련 내용이 없습니다.',
    llm_self_judge: '근거가 부족합니다. 검색된 내용에 답이 없습니다.',
    no_index: '근거가 부족합니다. 지식 베이스가 비어 있습니다. 먼저 kebab ingest를 실행하세요.',
    llm_stream_aborted: '답변이 중단되었습니다.',
    multi_hop_decompose_failed: '근거가 부족합니다. 질문을 하위 질문으로 나누지 못했습니다.',
    nli_verification_failed: '근거가 부족합니다. 답변을 검색된 내용으로 확인하지 못했습니다.',
    nli_model_unavailable: '근거가 부족합니다. 답변을 확인하는 모델을 사용할 수 없습니다.',
    unverified: '답변이 검색된 내용과 일치하지 않습니다.',
  },
  ja: {
    score_gate: '根拠が不足しています。ナレッジベースに該当する内容がありません。',
    no_chunks: '根拠が不足しています。ナレッジベースに該当する内容がありません。',
    llm_self_judge: '根拠が不足しています。検索された内容に答えがありません。',
    no_index: '根拠が不足しています。ナレッジベースが空です。先に kebab ingest を実行してください。',
    llm_stream_aborted: '回答が中断されました。',
    multi_hop_decompose_failed: '根拠が不足しています。質問を下位の質問に分けられませんでした。',
    nli_verification_failed: '根拠が不足しています。回答を検索された内容で確認できませんでした。',
    nli_model_unavailable: '根拠が不足しています。回答を確認するモデルを利用できません。',
    unverified: '回答が検索された内容と一致しません。',
  },
};

/** The refusal shown to the reader, in the language of the question. */
export function refusalSentence(reason: RefusalReason, question: string): string {
  return SENTENCES[questionLanguage(question)][reason];
}

/** A language for refusals. */
type RefusalLanguage = 'en' | 'ko' | 'ja';

/** The language of a question by its script: Hangul is Korean, kana is Japanese, everything else counts as English. */
function questionLanguage(question: string): RefusalLanguage {
  const hangul = question.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const kana = question.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (hangul === 0 && kana === 0) return 'en';
  return hangul >= kana ? 'ko' : 'ja';
}

/** The nearest passages, most relevant first, each place once, without markers. */
export function nearCandidates(evidence: readonly Evidence[]): readonly AnswerCitation[] {
  const seen = new Set<string>();
  return evidence
    .toSorted((a, b) => b.score - a.score)
    .filter(({ citation }) => {
      const place = `${citation.source_id ?? 'default'}:${citation.uri}`;
      return !seen.has(place) && seen.add(place);
    })
    .map(({ citation, score, indexed_at, stale, freshness }) => ({
      marker: null,
      citation,
      score,
      indexed_at,
      stale,
      freshness,
      quotes: [],
      verified: null,
    }));
}

/** The maximum number of tokens for a list of sub-queries. */
const LIST_TOKENS = 512;

/** Options of {@link AnswerWriter}. */
interface AnswerWriterInit {
  readonly model: LanguageModel;
  readonly asked: Pick<CheckedAsk, 'temperature' | 'seed'>;
  readonly budget: ContextBudget;
}

/** What the caller of a model does with each token. */
interface Listening {
  readonly onToken: (token: string) => void;
  /** Whether the text so far is the whole answer. */
  readonly isComplete?: () => boolean;
}

/** Calls one model for one question, once or several times, and sums up the usage. */
export class AnswerWriter {
  readonly #init: AnswerWriterInit;
  readonly #signal: AbortSignal | undefined;
  #promptTokens = 0;
  #completionTokens = 0;

  constructor(init: AnswerWriterInit, { signal }: AbortOptions) {
    this.#init = init;
    this.#signal = signal;
  }

  get usage(): { readonly promptTokens: number; readonly completionTokens: number } {
    return { promptTokens: this.#promptTokens, completionTokens: this.#completionTokens };
  }

  /** Generates the answer; stops at the delimiter. Errors before the first token are thrown, an interruption is reported in the result. */
  async write(
    messages: readonly HistoryItem[],
    {
      delimiter,
      ...options
    }: Listening & { readonly delimiter: PromptDelimiter; readonly schema?: object | undefined },
  ): Promise<Generation & { readonly ms: number }> {
    const { completionTokens: maxTokens } = this.#init.budget;
    return this.#generate(messages, { maxTokens, stop: [delimiter.open, delimiter.close], ...options });
  }

  /** Requests a list of sub-queries; returns the reason when the model failed. Throws `cancelled` when the signal has fired. */
  async list(messages: readonly HistoryItem[]): Promise<HopReply> {
    const maxTokens = Math.min(LIST_TOKENS, this.#init.budget.completionTokens);
    try {
      const { text, ms, interrupted, failure } = await this.#generate(messages, {
        maxTokens,
        stop: [],
        onToken: () => {},
      });
      if (interrupted === 'cancelled') throw cancelled('ask', this.#signal?.reason);
      return { text, ms, failure };
    } catch (error) {
      if (this.#signal?.aborted === true || isAbort(error)) throw error;
      return { text: '', ms: 0, failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async #generate(
    messages: readonly HistoryItem[],
    {
      maxTokens,
      stop,
      schema,
      ...listening
    }: Listening & { maxTokens: number; stop: readonly string[]; schema?: object | undefined },
  ): Promise<Generation & { readonly ms: number }> {
    const { model, asked } = this.#init;
    const started = performance.now();
    const request = {
      messages,
      stop,
      maxTokens,
      temperature: asked.temperature,
      seed: asked.seed,
      ...(schema === undefined ? {} : { schema }),
    };
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const generation = await generateText(model, request, { ...signal, ...listening });
    this.#promptTokens += generation.promptTokens;
    this.#completionTokens += generation.completionTokens;
    return { ...generation, ms: Math.max(1, Math.round(performance.now() - started)) };
  }
}
