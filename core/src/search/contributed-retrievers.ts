import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import { isAbort, throwIfCancelled } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { untilAborted } from '../errors/until-aborted.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import { withinLimit } from '../plugin/time-limit.ts';
import type { Degraded } from '../wire/index.ts';
import type { Stage } from '../paging/cursor.ts';
import { monotonicMs } from './monotonic-ms.ts';

/** A retriever that a plugin contributes, or why it takes no part. */
export type ContributedRetriever = ReadyRetriever | { readonly kind: 'absent'; readonly degraded: Degraded };

/** A contributed retriever that can be asked. */
export interface ReadyRetriever {
  readonly kind: 'ready';
  readonly name: ComponentName;
  readonly retriever: Retriever;
  /** How lists and cursors name it: with what its ranking depends on. */
  readonly stage: Stage;
}

/** The retrievers of all plugins by the part they take in a search. */
export interface ContributedRetrievers {
  /** The preferred one whose scores are cosines: it is the vector side. */
  readonly vector: ReadyRetriever | null;
  /** All others, preferred first; each is a side of its own in hybrid searches. */
  readonly others: readonly ContributedRetriever[];
}

/** What one contributed retriever returned. */
export interface ContributedRanking {
  readonly id: string;
  readonly ranking: readonly RankedChunk[];
  readonly ms: number;
}

/** How a contributed retriever is asked. */
export interface ContributedRequest {
  readonly retrieval: RetrievalRequest;
  readonly timeoutMs: number;
  /** Those of some chunks that are committed, and that filters, quoted phrases and exclusions let through. */
  readonly admittedOf: (ids: readonly ChunkId[]) => ReadonlySet<ChunkId>;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the retrievers of all plugins. One that cannot be opened takes no part, and says why; aborts pass through. */
export async function findContributed({ retrievers }: Pick<Ports, 'retrievers'>): Promise<ContributedRetrievers> {
  const names = retrievers.names();
  if (names.length === 0) return { vector: null, others: [] };
  const found = await Promise.all(names.map((name) => openOne(retrievers, name)));
  const vector = found.find((one) => one.kind === 'ready' && one.retriever.scoreKind === 'cosine');
  return { vector: vector?.kind === 'ready' ? vector : null, others: found.filter((one) => one !== vector) };
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
 * Asks a contributed retriever, and trusts it with nothing: it has a time limit, its list must be a ranking, and chunks that
 * are not committed or that the query and its filters rule out are dropped. Throws `plugin_failed` with the plugin's name, and `cancelled`.
 */
export async function askContributed(
  { name, retriever }: ReadyRetriever,
  { retrieval, timeoutMs, admittedOf, signal }: ContributedRequest,
): Promise<ContributedRanking> {
  const started = monotonicMs();
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const answer = Promise.resolve(retriever.retrieve(retrieval, { signal: stop.signal }));
    const heard = untilAborted(answer, { signal: stop.signal, operation: 'search' });
    const limit = { ms: timeoutMs, what: `its retriever ${name.id} did not answer` };
    const list = checked(await withinLimit(heard, limit), retrieval.limit);
    const admitted = admittedOf(list.map(({ chunkId }) => chunkId));
    const ranking = list
      .filter(({ chunkId }) => admitted.has(chunkId))
      .map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
    return { id: name.id, ranking, ms: monotonicMs() - started };
  } catch (error) {
    throwIfCancelled(signal, 'search');
    throw failureOf(error, name, 'retrieve');
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

/** What a search says that goes on without a contributed retriever. */
export function degradedRetriever(error: Error, { plugin, pluginVersion }: ComponentName): Degraded {
  const remedy = isKebabError(error) && error.code === 'plugin_failed' ? '' : ` (${plugin}@${pluginVersion})`;
  const hint = `${error.message}${remedy}; tell its author, or take the plugin out of \`plugins\``;
  return { stage: 'retriever', reason: 'plugin_failed', hint };
}

function failureOf(error: unknown, { plugin, pluginVersion }: ComponentName, stage: string): Error {
  return pluginFailure(error, { plugin: { name: plugin, version: pluginVersion }, kind: 'retriever', stage });
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
