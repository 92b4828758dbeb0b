import { cancelled, isAbort, throwIfCancelled } from '../../errors/abort.ts';
import { classifyError } from '../../errors/classify-error.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { Answer, SearchHit } from '../../wire/index.ts';
import type { JudgedQuery } from '../suite/resolve-expectations.ts';
import type { EvalSources, RunSettings } from './run-suite.ts';
import {
  documentKey,
  type QueryResult,
  type ResultAnswer,
  type ResultCitation,
  type ResultRetrieval,
} from '../query-result.ts';

const OPERATION = 'eval run';
/** The id of the source that citations leave unsaid. */
const DEFAULT_SOURCE = 'default';

/**
 * Searches one query, and asks it when the run asks. Whatever fails becomes the error of the result. Throws `cancelled` when
 * the signal fires, and nothing else.
 */
export async function runQuery(
  sources: EvalSources,
  { query, expected }: JudgedQuery,
  run: { readonly settings: RunSettings } & AbortOptions,
): Promise<QueryResult> {
  const { settings, signal } = run;
  const options: AbortOptions = signal === undefined ? {} : { signal };
  const started = performance.now();
  let retrieval: ResultRetrieval | null = null;
  let answer: ResultAnswer | null = null;
  let error: QueryResult['error'] = null;
  try {
    throwIfCancelled(signal, OPERATION);
    retrieval = await search(sources, query.query, settings, options);
    if (settings.withRag) answer = await ask(sources, query.query, settings, options);
  } catch (failure) {
    if (signal?.aborted === true) throw isAbort(failure) ? cancelled(OPERATION, signal.reason) : failure;
    const { code, message } = classifyError(failure, { operation: OPERATION });
    error = { code, message };
  }
  return {
    query_id: query.id,
    query: query.query,
    lang: query.lang,
    difficulty: query.difficulty,
    group: query.group,
    answerable: query.answerable,
    expected,
    retrieval,
    answer,
    error,
    latency_ms: Math.round(performance.now() - started),
  };
}

async function search(
  sources: EvalSources,
  text: string,
  { mode, k }: RunSettings,
  options: AbortOptions,
): Promise<ResultRetrieval> {
  const response = await sources.search({ text, mode, k }, options);
  return {
    mode: response.mode,
    degraded: response.degraded.map(({ stage, reason }) => `${stage}: ${reason}`),
    hits: response.hits.map(({ chunk_id, score, citation, ...hit }) => {
      return { chunk_id, document: documentOf(hit), uri: citation.uri, score };
    }),
  };
}

async function ask(
  sources: EvalSources,
  question: string,
  { mode, k, temperature, seed }: RunSettings,
  options: AbortOptions,
): Promise<ResultAnswer> {
  const answer = await sources.ask({ question, mode, k, temperature, seed }, options);
  throwIfCancelled(options.signal, OPERATION); // what there is of a cancelled answer is no result
  const citations: ResultCitation[] = [];
  for (const cited of answer.grounded ? answer.citations : []) citations.push(await check(sources, cited, options));
  const { retrieval } = answer;
  return {
    trace_id: retrieval.trace_id,
    text: answer.answer,
    grounded: answer.grounded,
    refusal_reason: answer.refusal_reason,
    top_score: retrieval.top_score,
    score_gate: retrieval.score_gate,
    citations,
  };
}

async function check(
  sources: EvalSources,
  { citation, verified }: Answer['citations'][number],
  options: AbortOptions,
): Promise<ResultCitation> {
  const { uri, content_hash: hash, source_id: source = DEFAULT_SOURCE } = citation;
  const { status } = await sources.verify(uri, { ...options, hash, source });
  return { uri, content_hash: hash, source_id: citation.source_id ?? null, status, verified };
}

function documentOf({
  source_id: sourceId,
  doc_path: workspacePath,
}: Pick<SearchHit, 'source_id' | 'doc_path'>): string {
  return documentKey({ sourceId, workspacePath });
}
