import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore, KnownDocument } from '../contracts/document-store.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import type { Ports } from '../ports.ts';
import { ReportBuilder } from './run/report-builder.ts';
import { scanSource, sourcesToWalk } from './run/scan-sources.ts';
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

/** How many unknown files are read to find out whether an ingest would leave them out for what they hold. */
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
    const known = await passing(() => store.knownDocuments(source.id));
    const unknown = scan.files.filter(
      ({ workspacePath }) => !known.has(workspacePath) && !failed.has(`${source.id}:${workspacePath}`),
    );
    for (const [at, file] of unknown.entries())
      if (known.size === 0 || at >= MAX_READ || (await isTaken(file))) total.added++;
    total.changed += scan.files.filter((file) => differs(file, known.get(file.workspacePath))).length;
    total.gone += [...known.keys()].filter((path) => !scan.present.has(path)).length;

    async function isTaken(file: SourceFile): Promise<boolean> {
      try {
        return skipByContent(await connector.read(file, call), file.mediaType, config) === null;
      } catch {
        return true; // an ingest would say why it cannot be read
      }
    }
  }
  return total;
}

function differs({ size, mtimeNs }: SourceFile, known: KnownDocument | undefined): boolean {
  return known !== undefined && known.file !== null && (known.file.size !== size || known.file.mtimeNs !== mtimeNs);
}
