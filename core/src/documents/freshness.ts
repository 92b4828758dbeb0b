import { promises } from 'node:fs';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { CallContext, Clock, Logger } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { FileStat, SourceConnector } from '../contracts/source-connector.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { isAbort } from '../errors/abort.ts';
import type { Components } from '../plugin/components.ts';
import type { Degraded, Freshness } from '../wire/index.ts';
import { folderExists, locateFile } from './locate-file.ts';
import { sourceRoots, type SourceRoot } from './source-roots.ts';

/** How a document compares with its source now. */
export interface FreshnessState {
  readonly freshness: Freshness;
  /** Not fresh, or last compared longer ago than the threshold. */
  readonly stale: boolean;
}

/** What a freshness check needs. */
export interface FreshnessInit {
  readonly config: Pick<ResolvedConfig, 'search' | 'workspace'>;
  readonly components: Pick<Components, 'get'>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Compares documents with their sources for one response: each document is looked up once, a file of the recorded size
 * and time is not read, and nothing is remembered beyond the response.
 */
export class FreshnessCheck {
  readonly #init: FreshnessInit;
  readonly #sources: ReadonlyMap<string, SourceRoot>;
  readonly #nowMs: number;
  readonly #known = new Map<string, Freshness>();
  readonly #degraded = new Map<string, Degraded>();

  constructor(init: FreshnessInit) {
    this.#init = init;
    this.#sources = sourceRoots(init.config);
    this.#nowMs = init.clock.now().getTime();
  }

  /** Sources that could not be asked, so far. */
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
    const { staleThresholdDays } = this.#init.config.search;
    return staleThresholdDays > 0 && this.#nowMs - indexedAt.getTime() > staleThresholdDays * DAY_MS;
  }

  async #lookUp(document: DocumentRow): Promise<Freshness> {
    const source = this.#sources.get(document.sourceId);
    if (source === undefined) {
      this.#missingRoot(document.sourceId, `the configuration knows no source "${document.sourceId}" any more`);
      return 'deleted';
    }
    if (source.connector !== 'fs') return this.#ask(source, document);
    if (document.file === null) return 'fresh';
    try {
      const file = locateFile(source.root, document.workspacePath);
      if (file !== null) return await compareFile(file, document.file, document.checksum);
    } catch (error) {
      this.#init.log.debug('a source file cannot be read', { doc_id: document.docId, cause: String(error) });
      return 'changed';
    }
    if (!folderExists(source.root))
      this.#missingRoot(
        source.id,
        `the folder ${source.root} of source "${source.id}" is not there; mount it or correct its root`,
      );
    return 'deleted';
  }

  async #ask(source: SourceRoot, document: DocumentRow): Promise<Freshness> {
    const { components, log, signal = new AbortController().signal } = this.#init;
    const context: CallContext = { signal, log, progress: () => {} };
    try {
      const connector: SourceConnector = await components.get('source', source.connector);
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

  #missingRoot(sourceId: string, hint: string): void {
    this.#degraded.set(sourceId, { stage: 'freshness', reason: 'source_root_missing', hint });
  }
}

/** A file is fresh when size and time are as recorded, or when its bytes are; another size needs no reading. */
async function compareFile(
  file: { readonly path: string; readonly stat: FileStat | { readonly size: bigint; readonly mtimeNs: bigint } },
  recorded: FileStat,
  checksum: string,
): Promise<Freshness> {
  const now = { size: Number(file.stat.size), mtimeNs: file.stat.mtimeNs };
  if (sameStat(now, recorded)) return 'fresh';
  if (now.size !== recorded.size) return 'changed';
  return blake3Hex(await promises.readFile(file.path)) === checksum ? 'fresh' : 'changed';
}

function sameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs;
}
