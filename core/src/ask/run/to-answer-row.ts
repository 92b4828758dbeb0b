import type { AnswerRow } from '../../contracts/answer-log.ts';
import type { Answer } from '../../wire/index.ts';
import type { NumberedEvidence } from '../retrieval/evidence.ts';

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
