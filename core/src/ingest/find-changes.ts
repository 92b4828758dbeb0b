import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, KnownDocument } from '../contracts/document-store.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import { millisecondsOf } from '../documents/locate-file.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import type { Ports } from '../ports.ts';
import { othersByMark } from './run/equal-mark.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { scanSource, type SourceScan, sourcesToWalk } from './run/scan-sources.ts';
import { growFreely, passingOver } from './run/v8-settings.ts';
import { skipByContent } from './scan/ignore-rules.ts';

/** What the next ingest would find. */
export interface Changes {
  /** Files that are not indexed. */
  readonly added: number;
  /** Indexed files with another size or time. */
  readonly changed: number;
  /** Documents whose file is not in the walk any more. */
  readonly gone: number;
}

/** How many files without a document are read to find out whether an ingest would leave them out for what they hold. */
const MAX_READ = 500;

/**
 * Compares the folders that were indexed with the index by names, sizes and times; nothing that is indexed is read. Sources that
 * cannot be walked count as unchanged.
 */
export async function findChanges(
  store: DocumentStore,
  ports: ComparePorts,
  { signal = new AbortController().signal }: AbortOptions = {},
): Promise<Changes> {
  try {
    return await compare(store, ports, signal);
  } finally {
    growFreely();
  }
}

type ComparePorts = Pick<Ports, 'connectors' | 'extractors' | 'chunkers' | 'config' | 'log'>;

async function compare(store: DocumentStore, ports: ComparePorts, signal: AbortSignal): Promise<Changes> {
  const { connectors, config, log } = ports;
  const call: CallContext = { signal, log, progress: () => {} };
  const pipelines = await Pipelines.open({ ...ports, indexVersion: '' });
  const failed = new Set(
    (await store.quarantined()).map(({ sourceId, workspacePath }) => `${sourceId}:${workspacePath}`),
  );
  const total = { added: 0, changed: 0, gone: 0 };
  const indexed = await store.indexedRoots();
  const passing = await passingOver(store);
  for (const source of sourcesToWalk(config, indexed, undefined)) {
    if (source.connectorId !== 'fs') continue;
    throwIfCancelled(signal, 'status');
    const connector = await connectors.get(source.connectorId);
    const report = new ReportBuilder({ keepItems: false });
    const walked = { ...source, root: indexed.get(source.id) ?? source.root, connector };
    const scan = await passing(() => scanSource(walked, { pipelines, report, config, call }));
    if (scan.rootFailure !== null) continue;
    const compared = await passing(() => compareFiles(scan, store));
    const unknown = compared.unknown.filter(({ workspacePath }) => !failed.has(`${source.id}:${workspacePath}`));
    const leftOut = compared.documents === 0 ? new Set() : await seenAsTheyAre(unknown, source.id, store);
    for (const [at, file] of unknown.entries())
      if (compared.documents === 0 || (await isTaken(file, at, leftOut.has(file)))) total.added++;
    total.changed += compared.changed;
    total.gone += compared.gone;

    /** Settings may have changed since it was left out, so that it is read again, unless what it holds takes long to find out. */
    async function isTaken(file: SourceFile, at: number, isLeftOut: boolean): Promise<boolean> {
      if (isLeftOut && (at >= MAX_READ || config.indexing.secrets === 'skip')) return false;
      if (at >= MAX_READ) return true;
      try {
        return skipByContent(await connector.read(file, call), file.mediaType, config) === null;
      } catch {
        return true; // an ingest would say why it cannot be read
      }
    }
  }
  return total;
}

/** How the files of a walk compare with the documents of their source. */
interface ComparedFiles extends Omit<Changes, 'added'> {
  readonly documents: number;
  /** Files without a document. */
  readonly unknown: readonly SourceFile[];
}

async function compareFiles(scan: SourceScan, store: DocumentStore): Promise<ComparedFiles> {
  const { files, present, source } = scan;
  const others = await othersByMark(scan, store);
  if (others !== null) {
    const unknown = files.filter(({ workspacePath }) => others.has(workspacePath));
    return { documents: files.length - unknown.length, unknown, changed: 0, gone: 0 };
  }
  const known = await store.knownDocuments(source.id);
  return {
    documents: known.size,
    unknown: files.filter(({ workspacePath }) => !known.has(workspacePath)),
    changed: files.filter((file) => differs(file, known.get(file.workspacePath))).length,
    gone: [...known.keys()].filter((path) => !present.has(path)).length,
  };
}

/** Files that the last run saw as they are now: it had a reason to make no documents of them. */
async function seenAsTheyAre(
  files: readonly SourceFile[],
  sourceId: string,
  store: DocumentStore,
): Promise<ReadonlySet<SourceFile>> {
  const places = await store.seenPlaces(sourceId, { paths: files.map(({ workspacePath }) => workspacePath) });
  const seen = new Map(places.map((place) => [place.path, place]));
  return new Set(
    files.filter(({ workspacePath, size, mtimeNs }) => {
      const place = seen.get(workspacePath);
      return place?.kind === 'file' && place.size === size && place.mtimeMs === millisecondsOf(mtimeNs);
    }),
  );
}

function differs({ size, mtimeNs }: SourceFile, known: KnownDocument | undefined): boolean {
  return known !== undefined && known.file !== null && (known.file.size !== size || known.file.mtimeNs !== mtimeNs);
}
