import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { Mode } from '../../domain/query.ts';
import { mintRunId } from '../../domain/minted-ids.ts';
import { throwIfCancelled, cancelled, isAbort } from '../../errors/abort.ts';
import {
  type EvalOptions,
  type EvalRequest,
  notify,
  type QueryResult,
  documentKey,
  type ResultAnswer,
  type ResultCitation,
  type ResultRetrieval,
} from '../query-result.ts';
import {
  aggregateResults,
  metricsOf,
  firstRelevantRank,
  judgeResult,
  rankedBy,
  roundMetric,
} from '../metrics/ranking-metrics.ts';
import { openSuite, type JudgedQuery } from '../suite/resolve-expectations.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { gitFactsFor } from '../../git/git-facts.ts';
import type { Ports } from '../../ports.ts';
import { type AskRequest, checkAsk } from '../../requests/ask.ts';
import type { SearchQuery } from '../../requests/search.ts';
import type { Answer, CitationCheck, EvalRun, SearchResponse, SearchHit } from '../../wire/index.ts';
import { maskSecrets } from '../../schema/mask-secrets.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import { allDocuments } from '../../documents/open-store.ts';
import { fingerprintOf } from '../../domain/policy-hash.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';
import { chatModelInForce, vectorRetrieverInForce } from '../../embedding/model-in-force.ts';
import { openEmbedding, type EmbeddingPorts } from '../../embedding/open-embedding.ts';
import { classifyError } from '../../errors/classify-error.ts';

/**
 * Runs a golden suite and records it: in the database, and as `per_query.jsonl` in the folder of the run. A failing query is counted and
 * the run continues. Errors: `not_indexed` without a database, `invalid_input` for settings out of range and an invalid suite, `io_error`,
 * and `cancelled`, in which case nothing is recorded.
 */
export async function runSuite(
  sources: EvalSources,
  request: EvalRequest,
  options: EvalOptions = {},
): Promise<EvalRun> {
  const { documents, config, clock } = sources;
  const { signal, onProgress, onNotice } = options;
  const settings = runSettings(request, config);
  const createdAt = clock.now();
  const store = await documents.read();
  const queries = await openSuite(request.suite, store);
  const snapshot = await takeSnapshot(sources, { store, settings });
  const run = { settings, signal };
  const results: QueryResult[] = [];
  for (const query of queries) {
    results.push(await runQuery(sources, query, run));
    notify(onProgress, { done: results.length, total: queries.length, queryId: query.query.id });
  }
  throwIfCancelled(signal, 'eval run');
  const aggregate = aggregateResults(results);
  const runId = mintRunId(createdAt, randomBytes(5));
  const { commit = null } = (await gitFactsFor(path.dirname(request.suite))) ?? {};
  const log = (await documents.write()).evals;
  await log.record(
    {
      runId,
      suite: request.suite,
      configSnapshotJson: JSON.stringify(snapshot),
      aggregateJson: JSON.stringify(aggregate),
      commitHash: commit,
      createdAt,
    },
    results.map((result) => ({ queryId: result.query_id, resultJson: JSON.stringify(result) })),
  );
  const file = path.join(config.storage.runsDir, runId, 'per_query.jsonl');
  makeOwnFolder(config.storage.runsDir);
  writeAtomically(file, perQueryLines(results));
  for (const notice of [...failures(results), ...skipped(results)]) notify(onNotice, notice);
  notify(onNotice, `results of each query: ${file}`);
  return {
    schema_version: 'eval_run.v1',
    run_id: runId,
    suite: request.suite,
    queries: results.length,
    failed: results.filter(({ error }) => error !== null).length,
    aggregate,
    created_at: createdAt.toISOString(),
  };
}

/** The suite and the dependencies of an evaluation. */
export interface EvalSources extends Pick<
  Ports,
  'documents' | 'lexicalIndex' | 'embedders' | 'vectorStores' | 'retrievers' | 'languageModels' | 'config' | 'clock'
> {
  readonly search: (query: SearchQuery, options: AbortOptions) => Promise<SearchResponse>;
  readonly ask: (request: AskRequest, options: AbortOptions) => Promise<Answer>;
  readonly verify: (uri: string, options: CitedText & AbortOptions) => Promise<CitationCheck>;
}

/** The facts in an answer about a text that it cites. */
interface CitedText {
  readonly hash: string;
  readonly source: string;
}

/** The text of `per_query.jsonl`: each result with its rank and its own metrics, one JSON object per line. */
function perQueryLines(results: readonly QueryResult[]): string {
  return results.map((result) => `${JSON.stringify(lineOf(result))}\n`).join('');
}

function lineOf(result: QueryResult): object {
  const judged = judgeResult(result);
  const ranking = judged === null ? null : rankedBy(judged);
  const metrics = [...metricsOf(judged)].map(([name, value]) => [name, value === null ? null : roundMetric(value)]);
  return {
    ...result,
    first_relevant_rank: ranking === null ? null : firstRelevantRank(ranking),
    metrics: Object.fromEntries(metrics) as unknown,
  };
}

function failures(results: readonly QueryResult[]): readonly string[] {
  const failed = results.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first?.error === undefined || first.error === null) return [];
  const { code, message } = first.error;
  const others = failed.length === 1 ? '' : `${failed.length} queries failed; the first: `;
  return [`${others}query ${first.query_id} failed: ${code}: ${message}`];
}

function skipped(results: readonly QueryResult[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { retrieval } of results)
    for (const stage of retrieval?.degraded ?? []) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts].map(([stage, count]) => `${count} of ${results.length} queries skipped a stage (${stage})`);
}

/** The settings with which every query of one run is searched and asked. */
export interface RunSettings {
  readonly mode: Mode;
  readonly k: number;
  readonly withRag: boolean;
  readonly temperature: number;
  readonly seed: number;
}

const DEFAULT_K = 10;

/** Fills in defaults. Throws `invalid_input` for values out of range, before anything runs. */
function runSettings(request: EvalRequest, config: ResolvedConfig): RunSettings {
  const { mode, temperature, seed, withRag = false } = request;
  const checked = checkAsk(
    {
      question: 'any',
      k: request.k ?? DEFAULT_K,
      mode,
      temperature,
      seed,
    },
    config,
  );
  return { mode: checked.mode, k: checked.k, temperature: checked.temperature, seed: checked.seed, withRag };
}

/** The conditions of a run: the shape in the database, hence the snake_case members. */
export interface RunSnapshot {
  readonly mode: Mode;
  readonly k: number;
  readonly with_rag: boolean;
  readonly temperature: number;
  readonly seed: number;
  readonly corpus_revision: number;
  readonly documents: number;
  readonly versions: RunVersions;
  /** The effective configuration; secrets are `***`. */
  readonly config: unknown;
}

/** The versions in use. Parsers and chunkers by medium, source code by language (`code/rust`), as recorded in the documents. */
export interface RunVersions {
  readonly kebab: string;
  readonly index_version: string;
  /** Fingerprint of the embedder, or of a plugin's retriever in its place; null when neither took part. */
  readonly embedding: string | null;
  readonly prompt_template_version: string;
  readonly llm: string;
  readonly reranker: string | null;
  readonly parsers: Readonly<Record<string, readonly string[]>>;
  /** Version and hash of the policy. */
  readonly chunkers: Readonly<Record<string, readonly string[]>>;
}

/** The inputs of a snapshot. */
interface SnapshotInit {
  readonly store: DocumentStore;
  readonly settings: RunSettings;
}

/** Records everything that the result of a run can depend on besides its suite. */
async function takeSnapshot(
  ports: EmbeddingPorts & Pick<Ports, 'lexicalIndex' | 'retrievers' | 'languageModels' | 'config'>,
  { store, settings }: SnapshotInit,
): Promise<RunSnapshot> {
  const { config } = ports;
  const index = await ports.lexicalIndex.read();
  const { llm, rerank } = config.models;
  return {
    mode: settings.mode,
    k: settings.k,
    with_rag: settings.withRag,
    temperature: settings.temperature,
    seed: settings.seed,
    corpus_revision: await store.corpusRevision(),
    documents: await store.documentCount(),
    versions: {
      kebab: KEBAB_VERSION,
      index_version: index.indexVersion(),
      embedding: settings.mode === 'lexical' ? null : await vectorFingerprint(ports),
      prompt_template_version: config.rag.promptTemplateVersion,
      llm: await chatModelInForce(llm, ports.languageModels),
      reranker: rerank.provider === 'none' ? null : rerank.model,
      ...(await labelsIn(store)),
    },
    config: maskSecrets(config),
  };
}

async function vectorFingerprint(ports: EmbeddingPorts & Pick<Ports, 'retrievers'>): Promise<string | null> {
  const retriever = await vectorRetrieverInForce(ports);
  if (retriever !== null) return fingerprintOf(retriever);
  const embedding = await openEmbedding(ports, 'read');
  return embedding.kind === 'off' ? null : embedding.fingerprint;
}

async function labelsIn(store: DocumentStore): Promise<Pick<RunVersions, 'parsers' | 'chunkers'>> {
  const parsers = new Map<string, Set<string>>();
  const chunkers = new Map<string, Set<string>>();
  const policies = new Map<string, string>();
  const documents = allDocuments(store);
  for await (const { docId, media, codeLang, parserVersion, chunkerVersion, fingerprints } of documents) {
    const key = codeLang === null ? media : `${media}/${codeLang}`;
    add(parsers, key, parserVersion);
    // Documents with one fingerprint were chunked under one policy, so one chunk represents all of them.
    let policy = policies.get(fingerprints.chunker);
    if (policy === undefined) {
      const [chunk] = await store.listChunks(docId, 0, 1);
      if (chunk === undefined) continue;
      policy = chunk.policyHash.replace(/#.*/, '');
      policies.set(fingerprints.chunker, policy);
    }
    add(chunkers, key, `${chunkerVersion} ${policy}`);
  }
  return { parsers: sorted(parsers), chunkers: sorted(chunkers) };
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

function sorted(sets: ReadonlyMap<string, ReadonlySet<string>>): Readonly<Record<string, readonly string[]>> {
  const entries = [...sets].map(([key, values]) => [key, [...values].toSorted()] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const OPERATION = 'eval run';
/** The id of the source that citations omit. */
const DEFAULT_SOURCE = 'default';

/**
 * Searches one query, and asks it if the run includes answers. Any failure becomes the error of the result. Throws only `cancelled`, when
 * the signal fires.
 */
async function runQuery(
  sources: EvalSources,
  { query, expected }: JudgedQuery,
  run: { readonly settings: RunSettings } & AbortOptions,
): Promise<QueryResult> {
  const { settings, signal } = run;
  const options: AbortOptions = { signal };
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
  throwIfCancelled(options.signal, OPERATION); // a partial answer after cancelling is not a result
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
