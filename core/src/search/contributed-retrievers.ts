import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { isAbort, throwIfCancelled, withDeadline } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Stage } from '../paging/cursor.ts';
import type { ComponentName } from '../plugin/components.ts';
import { pluginFailure, withoutSecrets } from '../plugin/plugin-failure.ts';
import type { Ports } from '../ports.ts';
import type { Degraded } from '../wire/index.ts';

/** A retriever from a plugin, or why it is unavailable. */
export type ContributedRetriever = ReadyRetriever | { readonly kind: 'absent'; readonly degraded: Degraded };

/** An available retriever from a plugin. */
interface ReadyRetriever {
  readonly kind: 'ready';
  readonly name: ComponentName;
  readonly retriever: Retriever;
  /** Its name in lists and cursors, which includes what its ranking depends on. */
  readonly stage: Stage;
}

/** The retrievers of all plugins by their role in a search. */
interface ContributedRetrievers {
  /** The preferred one whose scores are cosines: it replaces the vector side. */
  readonly vector: ReadyRetriever | null;
  /** All others, preferred first; each is a side of its own in hybrid searches. */
  readonly others: readonly ContributedRetriever[];
}

/** The result of one plugin retriever. */
export interface ContributedRanking {
  readonly id: string;
  readonly ranking: readonly RankedChunk[];
  readonly ms: number;
}

/** A request to a plugin retriever. */
interface ContributedRequest {
  readonly retrieval: RetrievalRequest;
  readonly timeoutMs: number;
  /** Filters chunk ids to those that are committed, and that match filters, quoted phrases and exclusions. */
  readonly admittedOf: Admission;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the retrievers of all plugins. One that cannot be opened is reported as unavailable; aborts pass through. */
export async function findContributed({ retrievers }: Pick<Ports, 'retrievers'>): Promise<ContributedRetrievers> {
  const names = retrievers.names();
  if (names.length === 0) return { vector: null, others: [] };
  const sides = await Promise.all(names.map((name) => openOne(retrievers, name)));
  const vector = sides.find((one) => one.kind === 'ready' && one.retriever.scoreKind === 'cosine');
  return { vector: vector?.kind === 'ready' ? vector : null, others: sides.filter((one) => one !== vector) };
}

async function openOne(retrievers: Ports['retrievers'], name: ComponentName): Promise<ContributedRetriever> {
  try {
    const retriever = await retrievers.get(name.id);
    const stage: Stage = `retriever:${name.id}@${blake3Short(retriever.indexVersion())}`;
    return { kind: 'ready', name, retriever, stage };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'absent', degraded: degradedRetriever(failureOf(error, name, 'create'), name) };
  }
}

/**
 * Queries a plugin retriever without trusting it: it has a time limit, its list must be a valid ranking, and chunks that are not committed
 * or that the query and its filters exclude are dropped. Throws `plugin_failed` with the plugin's name, and `cancelled`.
 */
async function askContributed(
  { name, retriever }: ReadyRetriever,
  { retrieval, timeoutMs, admittedOf, signal }: ContributedRequest,
): Promise<ContributedRanking> {
  const started = performance.now();
  try {
    const answer = await withDeadline((stop) => Promise.resolve(retriever.retrieve(retrieval, { signal: stop })), {
      operation: 'search',
      signal,
      timeoutMs,
      late: () => new Error(`its retriever ${name.id} did not answer within ${timeoutMs / 1000} s`),
    });
    const list = checked(answer, retrieval.limit);
    const admitted = await admittedOf(list.map(({ chunkId }) => chunkId));
    const ranking = list
      .filter(({ chunkId }) => admitted.has(chunkId))
      .map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
    return { id: name.id, ranking, ms: performance.now() - started };
  } catch (error) {
    throwIfCancelled(signal, 'search');
    throw failureOf(error, name, 'retrieve');
  }
}

/** The degradation of a search that continues without a plugin retriever. */
function degradedRetriever(error: Error, { plugin, pluginVersion }: ComponentName): Degraded {
  const remedy = isKebabError(error) && error.code === 'plugin_failed' ? '' : ` (${plugin}@${pluginVersion})`;
  const hint = `${error.message}${remedy}; report it to its author, or take the plugin out of \`plugins\``;
  return { stage: 'retriever', reason: 'plugin_failed', hint };
}

function failureOf(error: unknown, { plugin, pluginVersion, secrets }: ComponentName, stage: string): Error {
  const shown = withoutSecrets(error, secrets?.() ?? []);
  return pluginFailure(shown, { plugin: { name: plugin, version: pluginVersion }, kind: 'retriever', stage });
}

function checked(list: unknown, limit: number): readonly RankedChunk[] {
  if (!Array.isArray(list)) throw new TypeError('it returned no list');
  const seen = new Set<unknown>();
  for (const entry of list as readonly Partial<RankedChunk>[]) {
    if (typeof entry?.chunkId !== 'string') throw new TypeError('it returned an entry without a chunk id');
    if (!Number.isFinite(entry.score)) throw new TypeError(`it gave the score ${String(entry.score)}`);
    if (seen.has(entry.chunkId)) throw new TypeError(`it returned the chunk ${entry.chunkId} twice`);
    seen.add(entry.chunkId);
  }
  if (list.length > limit) throw new TypeError(`it returned ${list.length} chunks where ${limit} were asked for`);
  return list as readonly RankedChunk[];
}

/** The results of all plugin retrievers for a query, and those that took no part. */
interface ContributedRankings {
  readonly rankings: readonly ContributedRanking[];
  /** One per ranking, in the same order. */
  readonly stages: readonly Stage[];
  readonly degraded: readonly Degraded[];
}

/**
 * Queries plugin retrievers concurrently, as sides of one hybrid search, and returns results preferred first. One that fails is left out and
 * reported; aborts pass through.
 */
export async function rankContributed(
  retrievers: readonly ContributedRetriever[],
  request: ContributedRequest,
): Promise<ContributedRankings> {
  const outcomes = await Promise.all(
    retrievers.map(async (one): Promise<ContributedOutcome> => {
      if (one.kind === 'absent') return one;
      try {
        return { ranking: await askContributed(one, request), stage: one.stage };
      } catch (error) {
        if (isAbort(error) || isKebabError(error, 'cancelled') || !(error instanceof Error)) throw error;
        return { degraded: degradedRetriever(error, one.name) };
      }
    }),
  );
  return {
    rankings: outcomes.flatMap((one) => ('ranking' in one ? [one.ranking] : [])),
    stages: outcomes.flatMap((one) => ('ranking' in one ? [one.stage] : [])),
    degraded: outcomes.flatMap((one) => ('degraded' in one ? [one.degraded] : [])),
  };
}

type ContributedOutcome =
  | { readonly ranking: ContributedRanking; readonly stage: Stage }
  | { readonly degraded: Degraded };

/** The inputs that determine which chunks a query and its filters admit. */
interface AdmissionSources {
  readonly query: AnalysedQuery;
  readonly filters: SearchFilters;
  readonly store: Pick<DocumentStore, 'documentIds' | 'getPassages'>;
  readonly index: Pick<LexicalIndex, 'admitted'>;
}

/**
 * Creates a filter for the chunks that a search may show: those that are committed, and that match filters, quoted phrases and exclusions.
 * Store and index are queried once, on the first call.
 */
export function admission({ query, filters, store, index }: AdmissionSources): Admission {
  let known: Promise<Rules> | undefined;
  const rules = async (): Promise<Rules> => {
    const chunks = await index.admitted(query, filters);
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    return { chunks, documents: chunks === null && isFiltered ? await store.documentIds(filters) : null };
  };
  return async (ids) => {
    const { chunks, documents } = await (known ??= rules());
    const passages = await store.getPassages(ids);
    const admitted = passages.filter(
      ({ chunkId, docId }) => (chunks?.has(chunkId) ?? true) && (documents?.has(docId) ?? true),
    );
    return new Set(admitted.map(({ chunkId }) => chunkId));
  };
}

/** Returns those of some chunks that may be shown. */
type Admission = (ids: readonly ChunkId[]) => Promise<ReadonlySet<ChunkId>>;

/** The admitted chunks; null for no restriction. */
interface Rules {
  readonly chunks: ReadonlySet<ChunkId> | null;
  readonly documents: ReadonlySet<DocumentId> | null;
}
