import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, KnownDocument } from '../contracts/document-store.ts';
import type { SourceEntry, SourceFile } from '../contracts/source-connector.ts';
import { millisecondsOf } from '../documents/locate-file.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import type { Ports } from '../ports.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { scanSource, sourcesAsIndexed, type WalkedSource } from './run/scan-sources.ts';
import { skipByContent } from './scan/ignore-rules.ts';
import { isStillUnreadable, mayBeThere } from './scan/seen-places.ts';

/** The changes that the next ingest would find. */
export interface Changes {
  /** Files that are not indexed. */
  readonly added: number;
  /** Indexed files with a different size or time. */
  readonly changed: number;
  /** Documents whose file no longer exists. */
  readonly gone: number;
  /** The parts of the folders that could not be read, with the reasons: their state is unknown. */
  readonly unread: readonly string[];
  /** Files that an ingest leaves out for their size or content, as `source:path`. */
  readonly leftOut: readonly string[];
  /** Files that no plugin reads, by extension. */
  readonly unsupported: Readonly<Record<string, number>>;
  readonly folders: readonly WalkedFolder[];
}

/** A folder with everything in it, and its documents by path. */
export interface WalkedFolder {
  readonly walked: WalkedSource;
  readonly entries: AsyncIterable<SourceEntry> | readonly SourceEntry[];
  readonly known: ReadonlyMap<string, KnownDocument>;
  /** Why files could not be ingested when that was last tried, by `source:path`. */
  readonly failures: ReadonlyMap<string, string>;
}

/** How many files without a document are read to determine whether an ingest would skip them for their content. */
const MAX_READ = 500;

/**
 * Compares the indexed folders with the index by names, sizes and times; indexed files are not read. Sources that cannot be walked count as
 * unchanged, and so does a failed file that has not changed since.
 */
export async function findChanges(
  store: DocumentStore,
  ports: Pick<Ports, 'connectors' | 'extractors' | 'chunkers' | 'config' | 'log'>,
  { signal = new AbortController().signal }: AbortOptions = {},
): Promise<Changes> {
  const { connectors, config, log } = ports;
  const call: CallContext = { signal, log, progress: () => {} };
  const pipelines = await Pipelines.open({ ...ports, indexVersion: '' });
  const failures = await failuresIn(store);
  const total = { added: 0, changed: 0, gone: 0, unread: [] as string[], leftOut: [] as string[] };
  const unsupported: Record<string, number> = {};
  const folders: WalkedFolder[] = [];
  for (const source of sourcesAsIndexed(config, await store.indexedRoots())) {
    if (source.connectorId !== 'fs') continue;
    throwIfCancelled(signal, 'status');
    const connector = await connectors.get(source.connectorId);
    const report = new ReportBuilder({ keepItems: false });
    const walked = { ...source, connector };
    const place = { root: walked.root, linksOutside: config.workspace.symlinksOutside };
    const scan = await scanSource(walked, { pipelines, report, config, call });
    if (scan.rootFailure !== null) continue;
    total.unread.push(
      ...report.failed.flatMap((file) => (file.code === 'io_error' ? [`source "${source.id}": ${file.reason}`] : [])),
    );
    for (const [extension, count] of report.unsupported) unsupported[extension] = (unsupported[extension] ?? 0) + count;
    for (const path of report.tooLarge) total.leftOut.push(formatSourcePath({ sourceId: source.id, path }));
    const known = await store.knownDocuments(source.id);
    folders.push({ walked, entries: [...scan.others, ...scan.files], known, failures });
    const absent = scan.files.filter(({ workspacePath }) => !known.has(workspacePath));
    const changed = scan.files.filter((file) => differs(file, known.get(file.workspacePath)));
    const retried = [...absent, ...changed].filter(({ workspacePath: path }) => failures.has(`${source.id}:${path}`));
    const inVain = await seenAsTheyAre(retried, walked, store);
    const unknown = absent.filter((file) => !inVain.has(file));
    const passed = known.size === 0 ? new Set() : await seenAsTheyAre(unknown, walked, store);
    for (const [at, file] of unknown.entries())
      if (known.size === 0 || (await isTaken(file, at, passed.has(file)))) total.added++;
    total.changed += changed.filter((file) => !inVain.has(file)).length;
    for (const path of known.keys()) if (!scan.present.has(path) && !mayBeThere(place, path)) total.gone++;

    /** Settings may have changed since it was skipped, so it is read again, unless examining its content takes long. */
    async function isTaken(file: SourceFile, at: number, isLeftOut: boolean): Promise<boolean> {
      const isStillLeftOut = isLeftOut && (at >= MAX_READ || config.indexing.secrets === 'skip');
      if (!isStillLeftOut && (at >= MAX_READ || !(await isSkipped(file)))) return true;
      total.leftOut.push(formatSourcePath({ sourceId: source.id, path: file.workspacePath }));
      return false;
    }

    async function isSkipped(file: SourceFile): Promise<boolean> {
      try {
        return skipByContent(await connector.read(file, call), file.mediaType, config) !== null;
      } catch {
        return false; // an ingest would report why it cannot be read
      }
    }
  }
  return { ...total, unsupported, folders };
}

/** Why files could not be ingested when that was last tried, by `source:path`. */
export async function failuresIn(store: DocumentStore): Promise<WalkedFolder['failures']> {
  const quarantined = await store.quarantined();
  return new Map(quarantined.map((file) => [`${file.sourceId}:${file.workspacePath}`, file.reason]));
}

/** Files that the last run saw in their current state and did not turn into documents, for a reason that still applies. */
export async function seenAsTheyAre(
  files: readonly SourceFile[],
  { id, root }: Pick<WalkedSource, 'id' | 'root'>,
  store: DocumentStore,
): Promise<ReadonlySet<SourceFile>> {
  if (files.length === 0) return new Set();
  const places = await store.seenPlaces(id, { paths: files.map(({ workspacePath }) => workspacePath) });
  const seen = new Map(places.map((place) => [place.path, place]));
  return new Set(
    files.filter(({ workspacePath, size, mtimeNs }) => {
      const place = seen.get(workspacePath);
      if (place?.kind !== 'file') return false;
      return (place.size === size && place.mtimeMs === millisecondsOf(mtimeNs)) || isStillUnreadable(root, place);
    }),
  );
}

function differs({ size, mtimeNs }: SourceFile, known: KnownDocument | undefined): boolean {
  return known !== undefined && known.file !== null && (known.file.size !== size || known.file.mtimeNs !== mtimeNs);
}
