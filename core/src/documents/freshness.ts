import type { CallContext } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { FileStat, SourceConnector } from '../contracts/source-connector.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { isAbort } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import type { Degraded, Freshness } from '../wire/index.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { folderExists, locateFile, type LocatedFile } from './locate-file.ts';
import { describeMoved, hasMoved, indexedSources, remedyForMissing, type SourceRoot } from './source-roots.ts';

/** How a document compares with its source now. */
export interface FreshnessState {
  readonly freshness: Freshness;
  /** Not fresh, or last compared longer ago than the threshold. */
  readonly stale: boolean;
}

/** The ports of a freshness check: source connectors report on documents without a file. */
export type FreshnessPorts = Pick<Ports, 'config' | 'connectors' | 'clock' | 'log'>;

const DAY_MS = 86_400_000;

/**
 * Compares documents with their sources for one response: each document is checked once, a file with the recorded size and time is not
 * read, and nothing is cached beyond the response.
 */
export class FreshnessCheck {
  readonly #ports: FreshnessPorts;
  readonly #signal: AbortSignal;
  readonly #sources: ReadonlyMap<string, SourceRoot>;
  readonly #nowMs: number;
  readonly #known = new Map<string, Freshness>();
  readonly #degraded = new Map<string, Degraded>();

  constructor(ports: FreshnessPorts, sources: ReadonlyMap<string, SourceRoot>, signal?: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal ?? new AbortController().signal;
    this.#sources = sources;
    this.#nowMs = ports.clock.now().getTime();
  }

  /** Creates a check against the folders that a store was indexed from. */
  static async of(
    ports: FreshnessPorts,
    store: Pick<DocumentStore, 'indexedRoots'>,
    signal?: AbortSignal,
  ): Promise<FreshnessCheck> {
    return new FreshnessCheck(ports, await indexedSources(ports.config, store), signal);
  }

  /** The sources that could not be checked so far. */
  get degraded(): readonly Degraded[] {
    return [...this.#degraded.values()];
  }

  async check(document: DocumentRow): Promise<FreshnessState> {
    let freshness = this.#known.get(document.docId);
    if (freshness === undefined) {
      freshness = await this.#lookUp(document);
      this.#known.set(document.docId, freshness);
    }
    return { freshness, stale: freshness !== 'fresh' || this.#isAged(document.indexedAt) };
  }

  #isAged(indexedAt: Date): boolean {
    const { staleThresholdDays } = this.#ports.config.search;
    return staleThresholdDays > 0 && this.#nowMs - indexedAt.getTime() > staleThresholdDays * DAY_MS;
  }

  async #lookUp(document: DocumentRow): Promise<Freshness> {
    const source = this.#sources.get(document.sourceId);
    if (source === undefined) {
      this.#missingRoot(document.sourceId, `the configuration knows no source "${document.sourceId}" any more`);
      return 'deleted';
    }
    if (hasMoved(source)) this.#rootDiffers(source);
    if (source.connector !== 'fs') return this.#ask(source, document);
    if (document.file === null) return 'fresh';
    try {
      const file = locateFile(source, document.workspacePath);
      if (file !== null) return compareFile(file, document.file, document.checksum);
    } catch (error) {
      this.#ports.log.debug('a source file cannot be read', { doc_id: document.docId, cause: String(error) });
      return 'changed';
    }
    if (!folderExists(source.root))
      this.#missingRoot(
        source.id,
        `the folder ${source.root} of source "${source.id}" is not there; ${remedyForMissing(source)}`,
      );
    return 'deleted';
  }

  async #ask(source: SourceRoot, document: DocumentRow): Promise<Freshness> {
    const { connectors, log } = this.#ports;
    const context: CallContext = { signal: this.#signal, log, progress: () => {} };
    try {
      const connector: SourceConnector = await connectors.get(source.connector);
      if (connector.stat === undefined || document.file === null) return 'fresh';
      const scope = { root: source.root, include: [], exclude: [] };
      const stat = await connector.stat(scope, document.workspacePath, context);
      if (stat === null) return 'deleted';
      return sameStat(stat, document.file) ? 'fresh' : 'changed';
    } catch (error) {
      if (isAbort(error)) throw error;
      const hint = `source "${source.id}" could not be asked: ${error instanceof Error ? error.message : String(error)}`;
      this.#degraded.set(source.id, { stage: 'freshness', reason: 'plugin_failed', hint });
      return 'fresh';
    }
  }

  #rootDiffers(source: SourceRoot): void {
    const { what, remedy } = describeMoved(source);
    this.#degraded.set(source.id, { stage: 'freshness', reason: 'source_root_differs', hint: `${what}; ${remedy}` });
  }

  #missingRoot(sourceId: string, hint: string): void {
    this.#degraded.set(sourceId, { stage: 'freshness', reason: 'source_root_missing', hint });
  }
}

/** A file is fresh when its size and time are as recorded, or when its bytes are; a file of another size is not read. */
function compareFile({ path, stat }: LocatedFile, recorded: FileStat, checksum: string): Freshness {
  if (sameStat(stat, recorded)) return 'fresh';
  if (stat.size !== recorded.size) return 'changed';
  return blake3Hex(readRegularFile(path, { maxBytes: recorded.size })) === checksum ? 'fresh' : 'changed';
}

function sameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs;
}
