import { invalidInput, KebabError, type HistoryItem } from '@kebab/core';
import {
  blake3Id,
  type AnswerRow,
  type ChatSession,
  type ErrorCode,
  type EvalRunRow,
  type IngestRunRow,
  type Mode,
  type QuarantinedFile,
  type Turn,
} from '@kebab/core/store';
import { decoded } from './columns.ts';
import type { NewRow, Row } from './tables.ts';

/** The row of an evaluation. */
export function evalRunRow(run: EvalRunRow): Row<'eval_runs'> {
  return {
    run_id: run.runId,
    suite: run.suite,
    config_snapshot_json: run.configSnapshotJson,
    aggregate_json: run.aggregateJson,
    commit_hash: run.commitHash,
    created_at: run.createdAt.toISOString(),
  };
}

/** The evaluation of a row. */
export function toEvalRun(row: Row<'eval_runs'>): EvalRunRow {
  return {
    runId: row.run_id,
    suite: row.suite,
    configSnapshotJson: row.config_snapshot_json,
    aggregateJson: row.aggregate_json,
    commitHash: row.commit_hash,
    createdAt: new Date(row.created_at),
  };
}

/** The columns of an answer. */
export const ANSWER_COLUMNS = [
  'trace_id',
  'query',
  'answer',
  'grounded',
  'refusal_reason',
  'model_id',
  'model_provider',
  'embedding_model_id',
  'embedding_dimensions',
  'prompt_template_version',
  'retrieval_mode',
  'retrieval_k',
  'score_gate',
  'top_score',
  'chunks_returned',
  'chunks_used',
  'citations_json',
  'packed_chunks_json',
  'answer_json',
  'prompt_tokens',
  'completion_tokens',
  'latency_ms',
  'created_at',
] as const satisfies readonly (keyof Row<'answers'>)[];

/** The row of an answer. */
export function answerRow(answer: AnswerRow): Row<'answers'> {
  return {
    trace_id: answer.traceId,
    query: answer.query,
    answer: answer.answer,
    grounded: answer.grounded ? 1 : 0,
    refusal_reason: answer.refusalReason,
    model_id: answer.modelId,
    model_provider: answer.modelProvider,
    embedding_model_id: answer.embeddingModelId,
    embedding_dimensions: answer.embeddingDimensions,
    prompt_template_version: answer.promptTemplateVersion,
    retrieval_mode: answer.retrievalMode,
    retrieval_k: answer.retrievalK,
    score_gate: answer.scoreGate,
    top_score: answer.topScore,
    chunks_returned: answer.chunksReturned,
    chunks_used: answer.chunksUsed,
    citations_json: answer.citationsJson,
    packed_chunks_json: answer.packedChunksJson,
    answer_json: answer.answerJson,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    latency_ms: answer.latencyMs,
    created_at: answer.createdAt.toISOString(),
  };
}

/** The answer of a row. */
export function toAnswer(row: Row<'answers'>): AnswerRow {
  return {
    traceId: row.trace_id,
    query: row.query,
    answer: row.answer,
    grounded: row.grounded === 1,
    refusalReason: row.refusal_reason,
    modelId: row.model_id,
    modelProvider: row.model_provider,
    embeddingModelId: row.embedding_model_id,
    embeddingDimensions: row.embedding_dimensions,
    promptTemplateVersion: row.prompt_template_version,
    retrievalMode: row.retrieval_mode as Mode,
    retrievalK: row.retrieval_k,
    scoreGate: row.score_gate,
    topScore: row.top_score,
    chunksReturned: row.chunks_returned,
    chunksUsed: row.chunks_used,
    citationsJson: row.citations_json,
    packedChunksJson: row.packed_chunks_json,
    answerJson: row.answer_json,
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    latencyMs: row.latency_ms ?? 0,
    createdAt: new Date(row.created_at),
  };
}

/** The row of an ingest. */
export function ingestRunRow(run: IngestRunRow): NewRow<'ingest_runs'> {
  return {
    run_id: run.runId,
    scope_json: run.scopeJson,
    scanned: run.scanned,
    new_count: run.newCount,
    updated_count: run.updatedCount,
    unchanged_count: run.unchangedCount,
    skipped_count: run.skippedCount,
    error_count: run.errorCount,
    purged_count: run.purgedCount,
    embeddings_pending: run.embeddingsPending,
    aborted: run.aborted ? 1 : 0,
    duration_ms: run.durationMs,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt.toISOString(),
    items_json: run.itemsJson,
  };
}

/** The row of a file that could not be ingested. */
export function quarantineRow(file: QuarantinedFile): Row<'quarantined_files'> {
  return {
    source_id: file.sourceId,
    workspace_path: file.workspacePath,
    reason: file.reason,
    code: file.code,
    agent: file.agent,
    attempts: file.attempts,
    last_failed_at: file.lastFailedAt.toISOString(),
  };
}

/** The file of a row that could not be ingested. */
export function toQuarantinedFile(row: Row<'quarantined_files'>): QuarantinedFile {
  return {
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    reason: row.reason,
    code: row.code as ErrorCode,
    agent: row.agent,
    attempts: row.attempts,
    lastFailedAt: new Date(row.last_failed_at),
  };
}

/** The row of a conversation. Times are stored in whole seconds. */
export function sessionRow(session: ChatSession): Row<'chat_sessions'> {
  return {
    session_id: session.sessionId,
    created_at: toSeconds(session.createdAt),
    updated_at: toSeconds(session.updatedAt),
    title: session.title,
    config_snapshot_json: session.configSnapshotJson,
  };
}

/** The row of a turn at its place in a conversation. */
export function turnRow(sessionId: string, turn: Turn, index: number): Row<'chat_turns'> {
  return {
    turn_id: blake3Id(`${sessionId}:${index}`),
    session_id: sessionId,
    turn_index: index,
    question: turn.question,
    answer: turn.answer,
    citations_json: turn.citationsJson,
    items_json: JSON.stringify(turn.items),
    created_at: toSeconds(turn.createdAt),
  };
}

/** Why a turn could not be added: its session does not exist, or another process has written one at its place in the store. */
export function turnFailure(
  kind: 'no_session' | 'taken',
  { session_id: id, turn_index: index }: Pick<Row<'chat_turns'>, 'session_id' | 'turn_index'>,
  { store, cause }: { readonly store: string; readonly cause: unknown },
): KebabError {
  if (kind === 'no_session')
    return invalidInput(`there is no session ${JSON.stringify(id)}`, { field: 'session', value: id });
  return new KebabError('locked', `another process has written turn ${index} of session ${id}`, {
    details: { path: store, pid: null },
    cause,
  });
}

/** The conversation of a row. */
export function toSession(row: Row<'chat_sessions'>): ChatSession {
  return {
    sessionId: row.session_id,
    title: row.title,
    configSnapshotJson: row.config_snapshot_json,
    createdAt: new Date(row.created_at * 1000),
    updatedAt: new Date(row.updated_at * 1000),
  };
}

/** The turn of a row. */
export function toTurn(row: Row<'chat_turns'>): Turn {
  return {
    question: row.question,
    answer: row.answer,
    citationsJson: row.citations_json,
    items: decoded('chat_turns', 'items_json', () => JSON.parse(row.items_json) as readonly HistoryItem[]),
    createdAt: new Date(row.created_at * 1000),
  };
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
